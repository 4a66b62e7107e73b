package dev.toolhealth.tck.spec;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.SummaryEntry;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sequential model of a registry: the simplest program that satisfies the rules. The model uses
 * one thread, mutable fields, and unbounded numbers wherever a bound could hide a fault. Every
 * answer names the rule that demands the answer.
 *
 * <p>Times are nanoseconds since the registry's creation. They start at 0 and never decrease,
 * whatever the subject's clock shows. The class is not thread-safe.
 */
public final class Model {
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);
  private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

  private final Map<String, Tool> tools = new TreeMap<>();
  private final Map<String, List<String>> fallbacks = new TreeMap<>();
  private Config config;

  // Answers for unknown names. It stays as new: only reads reach it, and reports of permits that it
  // never granted.
  private Tool untouched;

  /**
   * Creates a model without tools.
   *
   * @param config the configuration of the breakers
   */
  public Model(Config config) {
    this.config = config;
    this.untouched = new Tool(config);
  }

  /**
   * Asks the gate.
   *
   * @param tool the tool's name
   * @param now the time
   * @return true if the gate admits the call
   */
  public Answer<Boolean> allowRequest(String tool, long now) {
    return getOrCreate(tool).allowRequest(now);
  }

  /**
   * Records a success.
   *
   * @param tool the tool's name
   * @param nanos the call's duration
   * @param now the time
   * @return the rule that governs the breaker's reaction
   */
  public Rule recordSuccess(String tool, long nanos, long now) {
    return getOrCreate(tool).recordSuccess(nanos, now, null);
  }

  /**
   * Records a failure.
   *
   * @param tool the tool's name
   * @param nanos the call's duration
   * @param now the time
   * @return the rule that governs the breaker's reaction
   */
  public Rule recordFailure(String tool, long nanos, long now) {
    return getOrCreate(tool).recordFailure(nanos, now, null);
  }

  /**
   * Asks the gate for a permit.
   *
   * @param tool the tool's name
   * @param permit the permit's name; replaces an earlier permit of the same name
   * @param now the time
   * @return the nanoseconds until the next probe can be granted: 0 if this permit is granted, or
   *     {@link Permit#UNBOUNDED}
   */
  public Answer<Long> tryAcquire(String tool, String permit, long now) {
    return new Answer<>(getOrCreate(tool).tryAcquire(permit, now), Rule.PERMIT_1);
  }

  /**
   * Reports an outcome with a permit. Does nothing if the permit was not granted.
   *
   * @param tool the tool's name
   * @param permit the permit's name
   * @param success true if the call succeeded
   * @param nanos the call's duration
   * @param now the time
   * @return the rule that governs the effect
   */
  public Rule report(String tool, String permit, boolean success, long nanos, long now) {
    return getOrNew(tool).report(permit, success, nanos, now);
  }

  /**
   * Cancels a permit. Does nothing if the permit was not granted.
   *
   * @param tool the tool's name
   * @param permit the permit's name
   * @param now the time
   * @return the rule that governs the effect
   */
  public Rule cancel(String tool, String permit, long now) {
    return getOrNew(tool).cancel(permit, now);
  }

  /**
   * Sets the configuration of breakers that are created from now on.
   *
   * @param config the configuration
   */
  public void configure(Config config) {
    this.config = config;
    this.untouched = new Tool(config);
  }

  /**
   * Requests a handle, which creates the tool.
   *
   * @param tool the tool's name
   */
  public void handle(String tool) {
    getOrCreate(tool);
  }

  /**
   * Sets a tool's fallbacks.
   *
   * @param primary the tool's name
   * @param names the names of the fallbacks, in order
   */
  public void setFallbacks(String primary, List<String> names) {
    fallbacks.put(primary, List.copyOf(names));
  }

  /**
   * Routes a call.
   *
   * @param primary the requested tool
   * @param now the time
   * @return the tool to call
   */
  public Answer<String> route(String primary, long now) {
    if (isToolAvailable(primary, now).value()) {
      return new Answer<>(primary, Rule.ROUTE_1);
    }
    List<String> available =
        fallbacks.getOrDefault(primary, List.of()).stream()
            .filter(fallback -> isToolAvailable(fallback, now).value())
            .toList();
    for (String fallback : available) {
      if (healthStatus(fallback, now).value() != HealthStatus.UNHEALTHY) {
        return new Answer<>(fallback, Rule.ROUTE_2);
      }
    }
    return available.isEmpty()
        ? new Answer<>(primary, Rule.ROUTE_4)
        : new Answer<>(available.get(0), Rule.ROUTE_3);
  }

  /**
   * Asks the oracle.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the gate's answer at this time, and the rule that demands the answer
   */
  public Answer<Boolean> isToolAvailable(String tool, long now) {
    return getOrNew(tool).decide(now);
  }

  /**
   * Returns the breaker's state.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the state
   */
  public Answer<CircuitState> circuitState(String tool, long now) {
    return getOrNew(tool).circuitState(now);
  }

  /**
   * Returns the consecutive failures.
   *
   * @param tool the tool's name
   * @return the number of failures since the last reset
   */
  public Answer<Long> consecutiveFailures(String tool) {
    return new Answer<>(getOrNew(tool).consecutiveFailures, Rule.BRK_2);
  }

  /**
   * Returns the number of successes.
   *
   * @param tool the tool's name
   * @return the number
   */
  public Answer<Long> successes(String tool) {
    return new Answer<>(getOrNew(tool).successes, Rule.STAT_1);
  }

  /**
   * Returns the number of failures.
   *
   * @param tool the tool's name
   * @return the number
   */
  public Answer<Long> failures(String tool) {
    return new Answer<>(getOrNew(tool).failures, Rule.STAT_1);
  }

  /**
   * Returns the number of outcomes.
   *
   * @param tool the tool's name
   * @return the successes and the failures together
   */
  public Answer<Long> total(String tool) {
    return new Answer<>(getOrNew(tool).total(), Rule.STAT_1);
  }

  /**
   * Returns the success rate.
   *
   * @param tool the tool's name
   * @return 0 to 1
   */
  public Answer<Double> successRate(String tool) {
    return new Answer<>(getOrNew(tool).successRate(), Rule.STAT_2);
  }

  /**
   * Returns the sum of durations.
   *
   * @param tool the tool's name
   * @return the nanoseconds
   */
  public Answer<Long> durationSum(String tool) {
    return new Answer<>(getOrNew(tool).durationSum(), Rule.STAT_3);
  }

  /**
   * Returns the average duration.
   *
   * @param tool the tool's name
   * @return the nanoseconds
   */
  public Answer<Long> averageDuration(String tool) {
    Tool t = getOrNew(tool);
    return new Answer<>(t.total() == 0 ? 0 : t.durationSum() / t.total(), Rule.STAT_4);
  }

  /**
   * Returns the maximum duration.
   *
   * @param tool the tool's name
   * @return the nanoseconds
   */
  public Answer<Long> maxDuration(String tool) {
    return new Answer<>(getOrNew(tool).maxDuration, Rule.STAT_5);
  }

  /**
   * Returns the EWMA of success.
   *
   * @param tool the tool's name
   * @return 0 to 1 000 000
   */
  public Answer<Long> ewma(String tool) {
    Tool t = getOrNew(tool);
    return new Answer<>(t.ewma, t.total() == 0 ? Rule.SCORE_1 : Rule.SCORE_2);
  }

  /**
   * Returns the score.
   *
   * @param tool the tool's name
   * @return 0 to 1
   */
  public Answer<Double> score(String tool) {
    return new Answer<>(getOrNew(tool).score(), Rule.SCORE_3);
  }

  /**
   * Returns the status.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the status
   */
  public Answer<HealthStatus> healthStatus(String tool, long now) {
    return getOrNew(tool).status(now);
  }

  /**
   * Returns the number of tools.
   *
   * @return the number of tools that have been created
   */
  public Answer<Long> toolCount() {
    return new Answer<>((long) tools.size(), Rule.REG_2);
  }

  /**
   * Returns the summary.
   *
   * @param now the time
   * @return the status and the score of every tool
   */
  public Answer<Map<String, SummaryEntry>> healthSummary(long now) {
    Map<String, SummaryEntry> summary = new TreeMap<>();
    tools.forEach(
        (name, tool) ->
            summary.put(name, new SummaryEntry(tool.status(now).value(), tool.score())));
    return new Answer<>(summary, Rule.REG_5);
  }

  /**
   * Returns the next instant at which time alone changes the gate's answer or the visible state:
   * the end of the cooldown, or the end of the lease. Faults show at these instants.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the instant; {@code now} if nothing changes by time alone
   */
  public long nextBoundary(String tool, long now) {
    return Math.max(now, getOrNew(tool).nextBoundary(now));
  }

  /**
   * Returns a key for the tool's situation. If two keys are equal, the gate, the oracle and the
   * state will give the same answers from now on, whatever operations follow.
   *
   * @param tool the tool's name
   * @param now the time
   * @return everything that future answers depend on
   */
  public List<Object> situation(String tool, long now) {
    return getOrNew(tool).situation(now);
  }

  private Tool getOrCreate(String tool) {
    return tools.computeIfAbsent(tool, name -> new Tool(config));
  }

  private Tool getOrNew(String tool) {
    Tool known = tools.get(tool);
    return known != null ? known : untouched;
  }

  private static long sum(long a, long b) {
    return BigInteger.valueOf(a).add(BigInteger.valueOf(b)).min(LARGEST).longValueExact();
  }

  /** A granted permit, and the breaker's period at the time of the grant. */
  private static final class Granted {
    private final long period;
    private boolean hasReported;

    Granted(long period) {
      this.period = period;
    }

    boolean reportsFirst() {
      boolean first = !hasReported;
      hasReported = true;
      return first;
    }
  }

  private static final class Tool {
    private final Config config;

    private CircuitState state = CircuitState.CLOSED;
    private long since; // OPEN: the cooldown's start. HALF_OPEN: the probe's grant.
    private boolean leaseExpired; // OPEN because a lease expired, not because of a failure
    private long consecutiveFailures;

    private long period; // the number of times that the breaker has become OPEN
    private @Nullable Granted probe; // HALF_OPEN: the probe's permit, or null for a probe by name
    private final Map<String, Granted> permits = new TreeMap<>();

    private long successes;
    private long failures;
    private BigInteger durationSum = BigInteger.ZERO;
    private long maxDuration;
    private long ewma = 1_000_000;

    Tool(Config config) {
      this.config = config;
    }

    /** Ends an expired lease (LEASE-1). Reads may call this too: no visible answer changes. */
    private void expire(long now) {
      if (state == CircuitState.HALF_OPEN
          && config.probeTimeoutNanos() != 0
          && now - since >= config.probeTimeoutNanos()) {
        open(sum(since, config.probeTimeoutNanos()));
        leaseExpired = true;
      }
    }

    Answer<Boolean> decide(long now) {
      expire(now);
      return switch (state) {
        case CLOSED -> new Answer<>(true, Rule.BRK_1);
        case HALF_OPEN ->
            new Answer<>(false, config.probeTimeoutNanos() == 0 ? Rule.LEASE_4 : Rule.BRK_8);
        case OPEN -> {
          boolean elapsed = now - since >= config.recoveryNanos();
          Rule rule =
              leaseExpired
                  ? Rule.LEASE_2
                  : !elapsed ? Rule.BRK_6 : config.recoveryNanos() == 0 ? Rule.BRK_11 : Rule.BRK_7;
          yield new Answer<>(elapsed, rule);
        }
      };
    }

    Answer<Boolean> allowRequest(long now) {
      Answer<Boolean> decision = decide(now);
      if (decision.value() && state == CircuitState.OPEN) {
        state = CircuitState.HALF_OPEN;
        since = now;
        leaseExpired = false;
        probe = null;
      }
      return decision;
    }

    long tryAcquire(String permit, long now) {
      permits.remove(permit);
      if (!allowRequest(now).value()) {
        return retryAfter(now);
      }
      Granted granted = new Granted(period);
      permits.put(permit, granted);
      if (state == CircuitState.HALF_OPEN) {
        probe = granted;
      }
      return 0;
    }

    /** Returns the waiting time (PERMIT-1) of a breaker that refuses calls. */
    private long retryAfter(long now) {
      BigInteger end = BigInteger.valueOf(since).add(BigInteger.valueOf(config.recoveryNanos()));
      if (state == CircuitState.HALF_OPEN) {
        if (config.probeTimeoutNanos() == 0) {
          return Permit.UNBOUNDED;
        }
        end = end.add(BigInteger.valueOf(config.probeTimeoutNanos()));
      }
      return end.subtract(BigInteger.valueOf(now)).min(LARGEST).longValueExact();
    }

    Rule report(String permit, boolean success, long nanos, long now) {
      Granted granted = permits.get(permit);
      if (granted == null || !granted.reportsFirst()) {
        return Rule.PERMIT_5;
      }
      expire(now);
      Rule rule = state == CircuitState.HALF_OPEN ? Rule.PERMIT_2 : Rule.PERMIT_3;
      if (success) {
        recordSuccess(nanos, now, granted);
      } else {
        recordFailure(nanos, now, granted);
      }
      return rule;
    }

    Rule cancel(String permit, long now) {
      Granted granted = permits.get(permit);
      if (granted == null || !granted.reportsFirst()) {
        return Rule.PERMIT_5;
      }
      expire(now);
      if (state == CircuitState.HALF_OPEN && probe == granted) {
        open(now - config.recoveryNanos());
      }
      return Rule.PERMIT_4;
    }

    /** Returns whether the breaker ignores a result with this permit, or by name (null). */
    private boolean isIgnored(@Nullable Granted permit) {
      return switch (state) {
        case CLOSED -> permit != null && permit.period != period;
        case OPEN -> false;
        case HALF_OPEN -> permit != probe;
      };
    }

    Rule recordSuccess(long nanos, long now, @Nullable Granted permit) {
      count(true, nanos);
      expire(now);
      if (isIgnored(permit)) {
        return Rule.PERMIT_2;
      }
      return switch (state) {
        case CLOSED -> {
          consecutiveFailures = 0;
          yield Rule.BRK_4;
        }
        case OPEN -> leaseExpired ? Rule.STALE_3 : Rule.STALE_1;
        case HALF_OPEN -> {
          state = CircuitState.CLOSED;
          consecutiveFailures = 0;
          yield Rule.BRK_9;
        }
      };
    }

    Rule recordFailure(long nanos, long now, @Nullable Granted permit) {
      count(false, nanos);
      expire(now);
      if (isIgnored(permit)) {
        return Rule.PERMIT_2;
      }
      consecutiveFailures++;
      return switch (state) {
        case CLOSED -> {
          int threshold = config.failureThreshold();
          if (threshold == 0) {
            yield Rule.BRK_5;
          }
          if (consecutiveFailures >= threshold) {
            open(now);
          }
          yield Rule.BRK_3;
        }
        case OPEN -> {
          Rule rule = leaseExpired ? Rule.STALE_4 : Rule.STALE_2;
          open(Math.max(since, now)); // STALE-5
          yield rule;
        }
        case HALF_OPEN -> {
          open(now);
          yield Rule.BRK_10;
        }
      };
    }

    private void open(long start) {
      period += state == CircuitState.OPEN ? 0 : 1;
      state = CircuitState.OPEN;
      since = start;
      leaseExpired = false;
    }

    private void count(boolean success, long nanos) {
      if (success) {
        successes++;
      } else {
        failures++;
      }
      long counted = Math.max(0, nanos);
      durationSum = durationSum.add(BigInteger.valueOf(counted));
      maxDuration = Math.max(maxDuration, counted);
      ewma = Math.floorDiv(7 * ewma + (success ? 3_000_000 : 0), 10);
    }

    Answer<CircuitState> circuitState(long now) {
      expire(now);
      Rule rule =
          switch (state) {
            case CLOSED -> Rule.BRK_1;
            case OPEN ->
                leaseExpired
                    ? Rule.LEASE_5
                    : now - since >= config.recoveryNanos() ? Rule.BRK_7 : Rule.BRK_6;
            case HALF_OPEN -> config.probeTimeoutNanos() == 0 ? Rule.LEASE_4 : Rule.LEASE_1;
          };
      return new Answer<>(state, rule);
    }

    long total() {
      return successes + failures;
    }

    double successRate() {
      return total() == 0 ? 1.0 : (double) successes / total();
    }

    long durationSum() {
      return durationSum.min(LARGEST).longValueExact();
    }

    double score() {
      return 0.3 * successRate() + 0.7 * (ewma / 1_000_000.0);
    }

    Answer<HealthStatus> status(long now) {
      expire(now);
      if (state == CircuitState.OPEN) {
        return new Answer<>(HealthStatus.UNHEALTHY, Rule.SCORE_5);
      }
      BigInteger total = BigInteger.valueOf(total());
      // The score times the total, in ten-millionths. Without outcomes both sides are zero.
      BigInteger score =
          MILLION
              .multiply(BigInteger.valueOf(3 * successes))
              .add(total.multiply(BigInteger.valueOf(7 * ewma)));
      HealthStatus status =
          score.compareTo(total.multiply(BigInteger.valueOf(8_000_000))) >= 0
              ? HealthStatus.HEALTHY
              : score.compareTo(total.multiply(BigInteger.valueOf(5_000_000))) >= 0
                  ? HealthStatus.DEGRADED
                  : HealthStatus.UNHEALTHY;
      return new Answer<>(status, state == CircuitState.HALF_OPEN ? Rule.SCORE_5 : Rule.SCORE_4);
    }

    List<Object> situation(long now) {
      expire(now);
      Object detail =
          switch (state) {
            case CLOSED -> config.failureThreshold() == 0 ? 0 : consecutiveFailures;
            case OPEN -> Math.min(now - since, config.recoveryNanos());
            case HALF_OPEN -> config.probeTimeoutNanos() == 0 ? 0 : now - since;
          };
      List<Object> situation = new ArrayList<>(List.of(state, detail));
      if (state == CircuitState.HALF_OPEN && probe == null) {
        situation.add("by name");
      }
      permits.forEach((name, permit) -> situation.add(name + " " + standing(permit)));
      return situation;
    }

    /** Describes whether a permit can still have an effect on the breaker. */
    private String standing(Granted permit) {
      return permit.hasReported
          ? "has reported"
          : state == CircuitState.OPEN || isIgnored(permit) ? "is stale" : "is current";
    }

    long nextBoundary(long now) {
      expire(now);
      return switch (state) {
        case CLOSED -> now;
        case OPEN -> sum(since, config.recoveryNanos());
        case HALF_OPEN ->
            config.probeTimeoutNanos() == 0 ? now : sum(since, config.probeTimeoutNanos());
      };
    }
  }
}

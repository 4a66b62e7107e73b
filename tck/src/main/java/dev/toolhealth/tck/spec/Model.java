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
 * What the rules demand of a registry, as the plainest program that keeps them: one thread, mutable
 * fields, unbounded numbers where a bound could hide a fault. Every answer names the rule that it
 * follows from.
 *
 * <p>Times are nanoseconds since the registry's creation, from 0 and never falling, whatever
 * numbers the subject's clock shows. Not safe for use by several threads.
 */
public final class Model {
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);
  private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

  private final Map<String, Tool> tools = new TreeMap<>();
  private final Map<String, List<String>> fallbacks = new TreeMap<>();
  private Config config;

  /**
   * Creates a registry without tools.
   *
   * @param config the configuration of its breakers
   */
  public Model(Config config) {
    this.config = config;
  }

  /**
   * Asks the gate.
   *
   * @param tool the tool's name
   * @param now the time
   * @return whether the call goes out
   */
  public Answer<Boolean> allowRequest(String tool, long now) {
    return touch(tool).allowRequest(now);
  }

  /**
   * Records a success.
   *
   * @param tool the tool's name
   * @param nanos the call's duration
   * @param now the time
   * @return the rule that says what the breaker made of it
   */
  public Rule recordSuccess(String tool, long nanos, long now) {
    return touch(tool).recordSuccess(nanos, now, null);
  }

  /**
   * Records a failure.
   *
   * @param tool the tool's name
   * @param nanos the call's duration
   * @param now the time
   * @return the rule that says what the breaker made of it
   */
  public Rule recordFailure(String tool, long nanos, long now) {
    return touch(tool).recordFailure(nanos, now, null);
  }

  /**
   * Asks the gate for a permit.
   *
   * @param tool the tool's name
   * @param permit what to call the permit; one of the same name is forgotten
   * @param now the time
   * @return the nanoseconds until a probe can be granted: 0 if this call goes out, or {@link
   *     Permit#UNBOUNDED}
   */
  public Answer<Long> tryAcquire(String tool, String permit, long now) {
    return new Answer<>(touch(tool).tryAcquire(permit, now), Rule.PERMIT_1);
  }

  /**
   * Reports by a permit. Nothing happens if it was not granted.
   *
   * @param tool the tool's name
   * @param permit the permit's name
   * @param success whether the call succeeded
   * @param nanos the call's duration
   * @param now the time
   * @return the rule that says what came of it
   */
  public Rule report(String tool, String permit, boolean success, long nanos, long now) {
    return look(tool).report(permit, success, nanos, now);
  }

  /**
   * Cancels a permit. Nothing happens if it was not granted.
   *
   * @param tool the tool's name
   * @param permit the permit's name
   * @param now the time
   * @return the rule that says what came of it
   */
  public Rule cancel(String tool, String permit, long now) {
    return look(tool).cancel(permit, now);
  }

  /**
   * Sets the configuration of later breakers.
   *
   * @param config the configuration
   */
  public void configure(Config config) {
    this.config = config;
  }

  /**
   * Lets the tool come into being.
   *
   * @param tool the tool's name
   */
  public void handle(String tool) {
    touch(tool);
  }

  /**
   * Sets a tool's substitutes.
   *
   * @param primary the tool's name
   * @param substitutes their names
   */
  public void setFallbacks(String primary, List<String> substitutes) {
    fallbacks.put(primary, List.copyOf(substitutes));
  }

  /**
   * Routes a call.
   *
   * @param primary the tool that was asked for
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
   * @return what the gate would answer, by the rule that the gate would go by
   */
  public Answer<Boolean> isToolAvailable(String tool, long now) {
    return look(tool).decide(now);
  }

  /**
   * Asks for the breaker's state.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the state
   */
  public Answer<CircuitState> circuitState(String tool, long now) {
    return look(tool).circuitState(now);
  }

  /**
   * Asks for the run of failures.
   *
   * @param tool the tool's name
   * @return how many there were in a row
   */
  public Answer<Long> consecutiveFailures(String tool) {
    return new Answer<>(look(tool).consecutiveFailures, Rule.BRK_2);
  }

  /**
   * Asks for the successes.
   *
   * @param tool the tool's name
   * @return how many there were
   */
  public Answer<Long> successes(String tool) {
    return new Answer<>(look(tool).successes, Rule.STAT_1);
  }

  /**
   * Asks for the failures.
   *
   * @param tool the tool's name
   * @return how many there were
   */
  public Answer<Long> failures(String tool) {
    return new Answer<>(look(tool).failures, Rule.STAT_1);
  }

  /**
   * Asks for all outcomes.
   *
   * @param tool the tool's name
   * @return how many there were
   */
  public Answer<Long> total(String tool) {
    return new Answer<>(look(tool).total(), Rule.STAT_1);
  }

  /**
   * Asks for the success rate.
   *
   * @param tool the tool's name
   * @return 0 to 1
   */
  public Answer<Double> successRate(String tool) {
    return new Answer<>(look(tool).successRate(), Rule.STAT_2);
  }

  /**
   * Asks for the sum of durations.
   *
   * @param tool the tool's name
   * @return the nanoseconds
   */
  public Answer<Long> durationSum(String tool) {
    return new Answer<>(look(tool).durationSum(), Rule.STAT_3);
  }

  /**
   * Asks for the average duration.
   *
   * @param tool the tool's name
   * @return the nanoseconds
   */
  public Answer<Long> averageDuration(String tool) {
    Tool t = look(tool);
    return new Answer<>(t.total() == 0 ? 0 : t.durationSum() / t.total(), Rule.STAT_4);
  }

  /**
   * Asks for the maximum duration.
   *
   * @param tool the tool's name
   * @return the nanoseconds
   */
  public Answer<Long> maxDuration(String tool) {
    return new Answer<>(look(tool).maxDuration, Rule.STAT_5);
  }

  /**
   * Asks for the EWMA.
   *
   * @param tool the tool's name
   * @return 0 to 1 000 000
   */
  public Answer<Long> ewma(String tool) {
    Tool t = look(tool);
    return new Answer<>(t.ewma, t.total() == 0 ? Rule.SCORE_1 : Rule.SCORE_2);
  }

  /**
   * Asks for the score.
   *
   * @param tool the tool's name
   * @return 0 to 1
   */
  public Answer<Double> score(String tool) {
    return new Answer<>(look(tool).score(), Rule.SCORE_3);
  }

  /**
   * Asks for the status.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the status
   */
  public Answer<HealthStatus> healthStatus(String tool, long now) {
    return look(tool).status(now);
  }

  /**
   * Asks how many tools there are.
   *
   * @return how many have come into being
   */
  public Answer<Long> toolCount() {
    return new Answer<>((long) tools.size(), Rule.REG_2);
  }

  /**
   * Asks for the summary.
   *
   * @param now the time
   * @return status and score of every tool
   */
  public Answer<Map<String, SummaryEntry>> healthSummary(long now) {
    Map<String, SummaryEntry> summary = new TreeMap<>();
    tools.forEach(
        (name, tool) ->
            summary.put(name, new SummaryEntry(tool.status(now).value(), tool.score())));
    return new Answer<>(summary, Rule.REG_5);
  }

  /**
   * Finds the next instant at which time alone changes what the gate answers or the state shows:
   * the end of the cooldown, or of the lease. This is where a fault would show.
   *
   * @param tool the tool's name
   * @param now the time
   * @return the instant; {@code now} if there is none to come
   */
  public long nextBoundary(String tool, long now) {
    return Math.max(now, look(tool).nextBoundary(now));
  }

  /**
   * Tells states of a tool apart: two of them are equal if gate, oracle and state will answer alike
   * whatever comes.
   *
   * @param tool the tool's name
   * @param now the time
   * @return what the future depends on
   */
  public List<Object> situation(String tool, long now) {
    return look(tool).situation(now);
  }

  private Tool touch(String tool) {
    return tools.computeIfAbsent(tool, name -> new Tool(config));
  }

  private Tool look(String tool) {
    Tool known = tools.get(tool);
    return known != null ? known : new Tool(config);
  }

  private static long sum(long a, long b) {
    return BigInteger.valueOf(a).add(BigInteger.valueOf(b)).min(LARGEST).longValueExact();
  }

  /** A permit that was granted, and by which period of the breaker. */
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
    private boolean leaseRanOut; // OPEN because a lease ran out, and not because of a failure
    private long consecutiveFailures;

    private long period; // how often the breaker has become OPEN
    private @Nullable Granted probe; // HALF_OPEN: the probe's permit, null if it has none
    private final Map<String, Granted> permits = new TreeMap<>();

    private long successes;
    private long failures;
    private BigInteger durationSum = BigInteger.ZERO;
    private long maxDuration;
    private long ewma = 1_000_000;

    Tool(Config config) {
      this.config = config;
    }

    /** LEASE-1. Reads may do this too: nothing that anybody can see changes by it. */
    private void expire(long now) {
      if (state == CircuitState.HALF_OPEN
          && config.probeTimeoutNanos() != 0
          && now - since >= config.probeTimeoutNanos()) {
        open(sum(since, config.probeTimeoutNanos()));
        leaseRanOut = true;
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
              leaseRanOut
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
        leaseRanOut = false;
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

    /** PERMIT-1, of a breaker that refuses. */
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

    /** Whether the breaker ignores a result that came with a permit, or with none, by name. */
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
        case OPEN -> leaseRanOut ? Rule.STALE_3 : Rule.STALE_1;
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
          Rule rule = leaseRanOut ? Rule.STALE_4 : Rule.STALE_2;
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
      leaseRanOut = false;
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
                leaseRanOut
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
      // The score in ten-millionths of the total; without outcomes both sides are zero.
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

    /** What can still come of a permit. */
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

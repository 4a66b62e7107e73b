package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A catalogue of faults, at least one for each chapter; the kit must catch every one. */
public final class Faults {
  private Faults() {}

  /** All faults. */
  @SuppressWarnings("ThreadPriorityCheck") // a race needs another thread to run in between
  public static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STAT_1,
            "the fifth success is forgotten",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    if (successes == 5) {
                      successes--;
                    }
                  }
                }),
        Fault.inTool(
            Rule.STAT_2,
            "no outcomes are a success rate of zero",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  double successRate() {
                    return total() == 0 ? 0 : super.successRate();
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "the sum wraps",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    durationSum += Math.max(0, nanos);
                    durationMax = Math.max(durationMax, nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_4,
            "the average is over successes only",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized Statistics statistics() {
                    Statistics s = super.statistics();
                    return new Statistics(
                        s.successes(),
                        s.failures(),
                        s.total(),
                        s.successRate(),
                        s.durationSumNanos(),
                        successes == 0 ? 0 : s.durationSumNanos() / successes,
                        s.maxDurationNanos());
                  }
                }),
        Fault.inTool(
            Rule.STAT_5,
            "failed calls do not count for the maximum",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordFailure(long nanos) {
                    long before = durationMax;
                    super.recordFailure(nanos);
                    durationMax = before;
                  }
                }),
        Fault.inTool(
            Rule.STAT_6,
            "a negative duration lowers the sum",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos);
                    durationSum += Math.min(0, Math.max(nanos, -3));
                  }
                }),
        Fault.inTool(
            Rule.STAT_7,
            "outcomes while open are not counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    successes -= state == CircuitState.OPEN ? 1 : 0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_1,
            "a new tool has an EWMA of one half",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.ewma = EWMA_HALF;
              return tool;
            }),
        Fault.inTool(
            Rule.SCORE_2,
            "the EWMA is rounded to the nearest",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    ewma = (7 * ewma + 3 * sample + 5) / 10;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_3,
            "rate and EWMA are weighed the other way round",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized double score() {
                    return 0.7 * successRate() + 0.3 * ((double) ewma / EWMA_ONE);
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "the status is classified in floating point",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() >= tenths / 10.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_5,
            "an expired probe is not unhealthy",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return state == CircuitState.HALF_OPEN && scoreIsAtLeast(5)
                        ? HealthStatus.DEGRADED
                        : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_6,
            "a call of an hour is half a failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    if (nanos > 1_000_000_000_000L) {
                      addSample(EWMA_HALF);
                    }
                  }
                }),
        Fault.inTool(
            Rule.SCORE_7,
            "the gate refuses a tool with a very bad score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized boolean allowRequest() {
                    return super.allowRequest() && (state != CircuitState.CLOSED || score() > 0.1);
                  }

                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable() && (state != CircuitState.CLOSED || score() > 0.1);
                  }
                }),
        Fault.inTool(
            Rule.BRK_1,
            "a new breaker is open",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.open(clock.getAsLong());
              return tool;
            }),
        Fault.inTool(
            Rule.BRK_2,
            "failures while open are not counted in the run",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    super.restartCooldown(now);
                    consecutiveFailures--;
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "it takes one failure more to trip",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return config.failureThreshold() != 0
                        && consecutiveFailures > config.failureThreshold();
                  }
                }),
        Fault.inTool(
            Rule.BRK_4,
            "a success takes one failure off the run",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void close() {
                    consecutiveFailures =
                        state == CircuitState.CLOSED ? Math.max(0, consecutiveFailures - 1) : 0;
                    state = CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.BRK_5,
            "threshold 0 trips at the first failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return consecutiveFailures >= config.failureThreshold();
                  }
                }),
        Fault.inTool(
            Rule.BRK_6,
            "the cooldown ends one nanosecond early",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return super.mayProbe(now)
                        || (stateAt(now) == CircuitState.OPEN
                            && !leaseExpired(now)
                            && now - cooldownStart == config.recoveryNanos() - 1);
                  }
                }),
        Fault.inTool(
            Rule.BRK_7,
            "the cooldown must be exceeded, not only reached",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return super.mayProbe(now)
                        && now - cooldownStartAt(now) > config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BRK_7,
            "an open breaker becomes half-open by itself",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    return mayProbe(clock.getAsLong())
                        ? CircuitState.HALF_OPEN
                        : super.circuitState();
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "every call is let through while half-open",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized boolean allowRequest() {
                    return super.allowRequest()
                        || stateAt(clock.getAsLong()) == CircuitState.HALF_OPEN;
                  }

                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable()
                        || stateAt(clock.getAsLong()) == CircuitState.HALF_OPEN;
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "the probe is checked for and taken in two steps",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the fault
                  public boolean allowRequest() {
                    boolean available = isAvailable();
                    Thread.yield();
                    synchronized (this) {
                      if (available && state != CircuitState.CLOSED) {
                        grantProbe(clock.getAsLong());
                      }
                    }
                    return available;
                  }
                }),
        Fault.inTool(
            Rule.BRK_9,
            "a probe's success leaves the run of failures as it was",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void close() {
                    consecutiveFailures = state == CircuitState.HALF_OPEN ? consecutiveFailures : 0;
                    state = CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.BRK_10,
            "after a probe's failure the cooldown counts from the grant",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void open(long since) {
                    super.open(state == CircuitState.HALF_OPEN ? probeStart : since);
                  }
                }),
        Fault.inTool(
            Rule.BRK_12,
            "the third probe and later ones are refused",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int probes;

                  @Override
                  boolean mayProbe(long now) {
                    return probes < 2 && super.mayProbe(now);
                  }

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    probes++;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_1,
            "the cooldown counts from when the expiry is noticed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return Math.max(super.leaseEnd(), clock.getAsLong());
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "after an expired lease a new probe is granted at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return leaseExpired(now) || super.mayProbe(now);
                  }

                  @Override
                  void endExpiredLease(long now) {
                    if (!mayProbe(now)) {
                      super.endExpiredLease(now);
                    }
                  }
                }),
        Fault.inTool(
            Rule.LEASE_3,
            "later leases count from the first grant",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean granted;

                  @Override
                  void grantProbe(long now) {
                    long first = probeStart;
                    super.grantProbe(now);
                    if (granted) {
                      probeStart = first;
                    }
                    granted = true;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_4,
            "a probe timeout of 0 expires at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseExpired(long now) {
                    return state == CircuitState.HALF_OPEN
                        && now - probeStart >= config.probeTimeoutNanos();
                  }
                }),
        Fault.inTool(
            Rule.LEASE_5,
            "reads show an expired probe as half-open",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    return state;
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "a success while open closes",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    close();
                  }
                }),
        Fault.inTool(
            Rule.STALE_2,
            "a failure while open leaves the cooldown alone",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {}
                }),
        Fault.inTool(
            Rule.STALE_3,
            "a probe's success closes however late it is",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    boolean probing = state == CircuitState.HALF_OPEN;
                    super.recordSuccess(nanos);
                    if (probing) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_4,
            "a late failure of the probe leaves the cooldown at the lease's end",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean expired;

                  @Override
                  void endExpiredLease(long now) {
                    expired = leaseExpired(now);
                    super.endExpiredLease(now);
                  }

                  @Override
                  void restartCooldown(long now) {
                    if (!expired) {
                      super.restartCooldown(now);
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_5,
            "a failure with an older time sets the cooldown back",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    cooldownStart = now;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_1,
            "the oracle goes by the state's name alone",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return state == CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "the oracle takes the probe",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return allowRequest();
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_3,
            "the oracle goes by the score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable() && (state != CircuitState.CLOSED || score() > 0.1);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_1,
            "names are folded to lower case",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool toolToChange(String tool) {
                    return super.toolToChange(tool.toLowerCase(Locale.ROOT));
                  }

                  @Override
                  LockingTool toolToRead(String tool) {
                    return super.toolToRead(tool.toLowerCase(Locale.ROOT));
                  }
                }),
        Fault.inRegistry(
            Rule.REG_2,
            "two callers that meet a new name make two tools of it",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool toolToChange(String tool) {
                    LockingTool known = tools.get(tool);
                    if (known == null) {
                      Thread.yield();
                      known = newTool();
                      tools.put(tool, known);
                    }
                    return known;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_3,
            "a read creates the tool",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool toolToRead(String tool) {
                    return toolToChange(tool);
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "a configuration resets the tools that exist",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void configure(Config config) {
                    super.configure(config);
                    tools.replaceAll((name, tool) -> newTool());
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_2,
            "an unhealthy fallback is as good as any",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    return isToolAvailable(primary)
                        ? primary
                        : fallbacks.getOrDefault(primary, List.of()).stream()
                            .filter(this::isToolAvailable)
                            .findFirst()
                            .orElse(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_5,
            "routing takes the primary's probe",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    String route = super.route(primary);
                    LockingTool known = tools.get(route);
                    if (known != null) {
                      known.allowRequest();
                    }
                    return route;
                  }
                }),
        Fault.inRegistry(
            Rule.BAD_1,
            "a negative threshold is taken for zero",
            (config, clock) ->
                new LockingRegistry(
                    new Config(
                        Math.max(0, config.failureThreshold()),
                        config.recoveryNanos(),
                        config.probeTimeoutNanos()),
                    clock)),
        Fault.inTool(
            Rule.BAD_2,
            "times are compared by their order",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return stateAt(now) == CircuitState.OPEN
                        && now >= cooldownStartAt(now) + config.recoveryNanos();
                  }
                }),
        Fault.inTool(Rule.CONC_2, "successes are counted outside the lock", Faults::losingCounts));
  }

  private static final long EWMA_HALF = LockingTool.EWMA_ONE / 2;

  private static LockingTool losingCounts(Config config, LongSupplier clock) {
    return new LockingTool(config, clock) {
      @Override
      @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the fault
      public void recordSuccess(long nanos) {
        long before = successes;
        Thread.onSpinWait();
        super.recordSuccess(nanos);
        successes = before + 1;
      }
    };
  }
}

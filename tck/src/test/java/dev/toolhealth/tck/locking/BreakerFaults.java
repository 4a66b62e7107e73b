package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.function.LongSupplier;

/** Faulty breakers: they trip, refuse, probe or recover at the wrong time. */
final class BreakerFaults {
  private BreakerFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.BRK_1,
            "A new breaker starts OPEN",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.open(clock.getAsLong());
              return tool;
            }),
        Fault.inTool(
            Rule.BRK_1,
            "A new breaker starts with one consecutive failure",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.consecutiveFailures = 1;
              return tool;
            }),
        Fault.inTool(
            Rule.BRK_2,
            "A failure while OPEN does not count as a consecutive failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    super.restartCooldown(now);
                    consecutiveFailures--;
                  }
                }),
        Fault.inTool(
            Rule.BRK_2,
            "The probe's failure does not count as a consecutive failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    super.relapse(now);
                    consecutiveFailures--;
                  }
                }),
        Fault.inTool(
            Rule.BRK_2,
            "Granting the probe resets the consecutive failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    consecutiveFailures = 0;
                  }
                }),
        Fault.inTool(
            Rule.BRK_2,
            "The consecutive failures stop counting at the threshold",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applyFailure() {
                    super.applyFailure();
                    consecutiveFailures = Math.min(consecutiveFailures, config.failureThreshold());
                  }
                }),
        Fault.inTool(
                Rule.BRK_2,
                "An ignored success resets the consecutive failures",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void applySuccess() {
                        super.applySuccess();
                        consecutiveFailures = 0;
                      }
                    })
            .orUnder(Rule.STALE_1),
        Fault.inTool(
            Rule.BRK_3,
            "The breaker trips one failure too late",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return config.failureThreshold() != 0
                        && consecutiveFailures > config.failureThreshold();
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "The breaker trips one failure too early, but not before the first failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return config.failureThreshold() != 0
                        && consecutiveFailures >= config.failureThreshold() - 1;
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "Threshold 1 is treated as 2",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return super.reachesThreshold() && consecutiveFailures > 1;
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "The cooldown starts at the first consecutive failure instead of the last",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long first;

                  @Override
                  void applyFailure() {
                    if (consecutiveFailures == 0) {
                      first = clock.getAsLong();
                    }
                    super.applyFailure();
                  }

                  @Override
                  void open(long since) {
                    super.open(state == CircuitState.CLOSED ? first : since);
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "A refused call restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized boolean allowRequest() {
                    boolean allowed = super.allowRequest();
                    if (state == CircuitState.OPEN) {
                      cooldownStart = clock.getAsLong();
                    }
                    return allowed;
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "An hour without a failure resets the consecutive failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long last;

                  @Override
                  void applyFailure() {
                    if (clock.getAsLong() - last > 3_600_000_000_000L) {
                      consecutiveFailures = 0;
                    }
                    last = clock.getAsLong();
                    super.applyFailure();
                  }
                }),
        Fault.inTool(
            Rule.BRK_4,
            "A success while CLOSED lowers the consecutive failures by only one",
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
            Rule.BRK_4,
            "A success while CLOSED does not reset the consecutive failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void close() {
                    consecutiveFailures = state == CircuitState.CLOSED ? consecutiveFailures : 0;
                    state = CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.BRK_5,
            "Threshold 0 trips at the first failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return consecutiveFailures >= config.failureThreshold();
                  }
                }),
        Fault.inTool(
            Rule.BRK_5,
            "The breaker trips at 1000 consecutive failures even with threshold 0",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return super.reachesThreshold() || consecutiveFailures == 1_000;
                  }
                }),
        Fault.inTool(
            Rule.BRK_6,
            "The cooldown ends one nanosecond early",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now) >= config.recoveryNanos() - 1;
                  }
                }),
        Fault.inTool(
            Rule.BRK_6,
            "The cooldown is truncated to whole milliseconds",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now)
                        >= config.recoveryNanos() / 1_000_000 * 1_000_000;
                  }
                }),
        Fault.inTool(
            Rule.BRK_6,
            "The cooldown is truncated to an int of nanoseconds",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now) >= (int) config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BRK_7,
            "The cooldown ends one nanosecond late",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now) > config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BRK_7,
            "The state becomes HALF_OPEN at the cooldown's end without a gate call",
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
            Rule.BRK_7,
            "The first gate call after the cooldown is refused; the second gets the probe",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean asked;

                  @Override
                  public synchronized boolean allowRequest() {
                    if (mayProbe(clock.getAsLong()) && !asked) {
                      asked = true;
                      return false;
                    }
                    asked = false;
                    return super.allowRequest();
                  }
                }),
        Fault.inTool(
            Rule.BRK_7,
            "From one hour after the cooldown's end no probe is granted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return super.cooldownElapsed(now)
                        && now - cooldownStartAt(now) - config.recoveryNanos() < 3_600_000_000_000L;
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "Every call is admitted while HALF_OPEN",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return super.mayProbe(now) || stateAt(now) == CircuitState.HALF_OPEN;
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "While a probe is live, a second one is granted after another cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return super.mayProbe(now)
                        || (stateAt(now) == CircuitState.HALF_OPEN
                            && now - probeStart >= config.recoveryNanos());
                  }
                }),
        Fault.inTool(
                Rule.BRK_8,
                "The gate checks for the probe and grants it without holding the lock",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                      public boolean allowRequest() {
                        return admit();
                      }

                      @Override
                      void grantProbe(long now) {
                        Window.open();
                        super.grantProbe(now);
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
            Rule.BRK_9,
            "The probe's success does not reset the consecutive failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void close() {
                    consecutiveFailures = state == CircuitState.HALF_OPEN ? consecutiveFailures : 0;
                    state = CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.BRK_9,
            "A HALF_OPEN breaker needs two successes to close",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean once;

                  @Override
                  void close() {
                    once = state == CircuitState.HALF_OPEN && !once;
                    if (!once) {
                      super.close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.BRK_10,
            "After the probe's failure the cooldown starts at the grant instead of the failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    super.relapse(probeStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_10,
            "After the probe's failure the old cooldown continues",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    super.relapse(cooldownStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_10,
            "The probe must fail as often as the threshold says before the breaker opens",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int failed;

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    failed = 0;
                  }

                  @Override
                  void relapse(long now) {
                    if (++failed >= config.failureThreshold()) {
                      super.relapse(now);
                    }
                  }
                }),
        Fault.inTool(
            Rule.BRK_11,
            "A cooldown of 0 is treated as 1 ns",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return super.cooldownElapsed(now) && now != cooldownStartAt(now);
                  }
                }),
        Fault.inTool(
            Rule.BRK_11,
            "With a cooldown of 0 a probe is granted while another one is live",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return super.mayProbe(now)
                        || (state == CircuitState.HALF_OPEN && config.recoveryNanos() == 0);
                  }
                }),
        Fault.inTool(
            Rule.BRK_12,
            "No probe is granted after the second",
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
            Rule.BRK_12,
            "After its first trip the breaker trips at every failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean tripped;

                  @Override
                  boolean reachesThreshold() {
                    return tripped || super.reachesThreshold();
                  }

                  @Override
                  void open(long since) {
                    super.open(since);
                    tripped = true;
                  }
                }),
        Fault.inTool(
                Rule.BRK_12,
                "Every failed probe makes later cooldowns one nanosecond longer",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      private int relapses;

                      @Override
                      void relapse(long now) {
                        super.relapse(now);
                        relapses++;
                      }

                      @Override
                      boolean cooldownElapsed(long now) {
                        return now - cooldownStartAt(now) >= config.recoveryNanos() + relapses;
                      }
                    })
            .orUnder(Rule.BRK_10),
        Fault.inTool(
            Rule.BRK_12,
            "The second recovery does not reset the consecutive failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int recoveries;

                  @Override
                  void close() {
                    long run =
                        state == CircuitState.HALF_OPEN && ++recoveries == 2
                            ? consecutiveFailures
                            : 0;
                    super.close();
                    consecutiveFailures = run;
                  }
                }),
        Fault.inTool(
            Rule.BRK_9,
            "The probe's success does not close the breaker right after a refused call",
            (config, clock) -> new Obstinate(config, clock, 1)),
        Fault.inTool(
            Rule.BRK_9,
            "The probe's success does not close the breaker right after two refused calls",
            (config, clock) -> new Obstinate(config, clock, 2)),
        Fault.inTool(
            Rule.BRK_3,
            "Failures that are 2 ns or more apart do not add up to the threshold",
            (config, clock) -> new Forgetful(config, clock, 2)),
        Fault.inTool(
            Rule.BRK_3,
            "Failures that are 3 ns or more apart do not add up to the threshold",
            (config, clock) -> new Forgetful(config, clock, 3)));
  }

  /** A tool with hidden states: the number of refusals since the last admission or outcome. */
  private static final class Obstinate extends LockingTool {
    private final int limit;
    private int refused;

    Obstinate(Config config, LongSupplier clock, int limit) {
      super(config, clock);
      this.limit = limit;
    }

    @Override
    public synchronized boolean allowRequest() {
      boolean allowed = super.allowRequest();
      refused = allowed ? 0 : refused + 1;
      return allowed;
    }

    @Override
    void applySuccess() {
      if (refused < limit || stateAt(clock.getAsLong()) != CircuitState.HALF_OPEN) {
        super.applySuccess();
      }
      refused = 0;
    }

    @Override
    void applyFailure() {
      super.applyFailure();
      refused = 0;
    }
  }

  /** A tool with hidden states: the time since the last failure. */
  private static final class Forgetful extends LockingTool {
    private final long limit;
    private long latest;

    Forgetful(Config config, LongSupplier clock, long limit) {
      super(config, clock);
      this.limit = limit;
    }

    @Override
    void applyFailure() {
      long now = clock.getAsLong();
      boolean forgotten = state == CircuitState.CLOSED && now - latest >= limit;
      latest = now;
      long run = consecutiveFailures;
      consecutiveFailures = forgotten ? 0 : run;
      super.applyFailure();
      consecutiveFailures = run + 1; // reads still show the correct number
    }
  }
}

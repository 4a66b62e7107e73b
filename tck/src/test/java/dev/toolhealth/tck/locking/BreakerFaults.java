package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.function.LongSupplier;

/** Faults in when the breaker trips, refuses, probes and recovers. */
final class BreakerFaults {
  private BreakerFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.BRK_1,
            "a new breaker is open",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.open(clock.getAsLong());
              return tool;
            }),
        Fault.inTool(
            Rule.BRK_1,
            "a new breaker has counted a failure",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.consecutiveFailures = 1;
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
            Rule.BRK_2,
            "the probe's failure is not counted in the run",
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
            "the grant of the probe ends the run",
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
            "the run stops at the threshold",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedFailure() {
                    super.heedFailure();
                    consecutiveFailures = Math.min(consecutiveFailures, config.failureThreshold());
                  }
                }),
        Fault.inTool(
                Rule.BRK_2,
                "a success that is ignored ends the run",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void heedSuccess() {
                        super.heedSuccess();
                        consecutiveFailures = 0;
                      }
                    })
            .orUnder(Rule.STALE_1),
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
            Rule.BRK_3,
            "it takes one failure less to trip, but always one",
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
            "threshold 1 is taken for 2",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return super.reachesThreshold() && consecutiveFailures > 1;
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "the cooldown counts from the first failure of the run",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long first;

                  @Override
                  void heedFailure() {
                    if (consecutiveFailures == 0) {
                      first = clock.getAsLong();
                    }
                    super.heedFailure();
                  }

                  @Override
                  void open(long since) {
                    super.open(state == CircuitState.CLOSED ? first : since);
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "a refused call restarts the cooldown",
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
            "failures of more than an hour ago are forgotten",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long last;

                  @Override
                  void heedFailure() {
                    if (clock.getAsLong() - last > 3_600_000_000_000L) {
                      consecutiveFailures = 0;
                    }
                    last = clock.getAsLong();
                    super.heedFailure();
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
            Rule.BRK_4,
            "all failures are counted, not those in a row",
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
            "threshold 0 trips at the first failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return consecutiveFailures >= config.failureThreshold();
                  }
                }),
        Fault.inTool(
            Rule.BRK_5,
            "threshold 0 trips in the end",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return super.reachesThreshold() || consecutiveFailures == 1_000;
                  }
                }),
        Fault.inTool(
            Rule.BRK_6,
            "the cooldown ends one nanosecond early",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now) >= config.recoveryNanos() - 1;
                  }
                }),
        Fault.inTool(
            Rule.BRK_6,
            "the cooldown is cut to whole milliseconds",
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
            "the cooldown is held in an int",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now) >= (int) config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.BRK_7,
            "the cooldown must be exceeded, not only reached",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now) > config.recoveryNanos();
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
            Rule.BRK_7,
            "the first call after the cooldown is refused, the next is the probe",
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
            "a breaker that nobody asks for an hour stays open",
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
            "every call is let through while half-open",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean mayProbe(long now) {
                    return super.mayProbe(now) || stateAt(now) == CircuitState.HALF_OPEN;
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "a second probe is let through after another cooldown",
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
            "the gate looks and takes the probe outside the lock",
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
            Rule.BRK_9,
            "it takes two successes to close",
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
            "after a probe's failure the cooldown counts from the grant",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    super.relapse(probeStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_10,
            "after a probe's failure the old cooldown goes on",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    super.relapse(cooldownStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_10,
            "a single failure does not end a probe if the threshold is higher",
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
            "a cooldown of 0 is one of a nanosecond",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return super.cooldownElapsed(now) && now != cooldownStartAt(now);
                  }
                }),
        Fault.inTool(
            Rule.BRK_11,
            "without a cooldown every call is a probe",
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
            Rule.BRK_12,
            "a breaker that has tripped before trips at once",
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
                "each relapse makes the cooldown longer",
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
            "the second recovery leaves the run of failures as it was",
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
            "a success does not close right after a refused call",
            (config, clock) -> new Obstinate(config, clock, 1)),
        Fault.inTool(
            Rule.BRK_9,
            "a success does not close right after two refused calls",
            (config, clock) -> new Obstinate(config, clock, 2)),
        Fault.inTool(
            Rule.BRK_3,
            "a failure that was followed by two nanoseconds of silence is forgotten",
            (config, clock) -> new Forgetful(config, clock, 2)),
        Fault.inTool(
            Rule.BRK_3,
            "a failure that was followed by three nanoseconds of silence is forgotten",
            (config, clock) -> new Forgetful(config, clock, 3)));
  }

  /** Has states that the rules know nothing of: how many calls it has just refused. */
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
    void heedSuccess() {
      if (refused < limit || stateAt(clock.getAsLong()) != CircuitState.HALF_OPEN) {
        super.heedSuccess();
      }
      refused = 0;
    }

    @Override
    void heedFailure() {
      super.heedFailure();
      refused = 0;
    }
  }

  /** Has states that the rules know nothing of: how long ago the last failure was. */
  private static final class Forgetful extends LockingTool {
    private final long limit;
    private long latest;

    Forgetful(Config config, LongSupplier clock, long limit) {
      super(config, clock);
      this.limit = limit;
    }

    @Override
    void heedFailure() {
      long now = clock.getAsLong();
      boolean forgotten = state == CircuitState.CLOSED && now - latest >= limit;
      latest = now;
      long run = consecutiveFailures;
      consecutiveFailures = forgotten ? 0 : run;
      super.heedFailure();
      consecutiveFailures = run + 1; // it shows the right number all the same
    }
  }
}

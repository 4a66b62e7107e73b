package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faulty breakers that fail only after many steps or at an exact instant. */
final class LongRoadFaults {
  private LongRoadFaults() {}

  static List<Fault> all() {
    return List.of(
        failuresCountedIn(8),
        failuresCountedIn(10),
        failuresCountedIn(16),
        Fault.inTool(
            Rule.BRK_2,
            "The consecutive failures stop counting at 1000",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applyFailure() {
                    super.applyFailure();
                    consecutiveFailures = Math.min(1_000, consecutiveFailures);
                  }
                }),
        Fault.inTool(
                Rule.BRK_2,
                "Noticing an expired lease resets the consecutive failures",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void endExpiredLease(long now) {
                        if (leaseExpired(now)) {
                          consecutiveFailures = 0;
                        }
                        super.endExpiredLease(now);
                      }
                    })
            .orUnder(Rule.STALE_3),
        Fault.inTool(
            Rule.BRK_3,
            "The threshold is truncated to a byte",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    byte threshold = (byte) config.failureThreshold();
                    return threshold != 0 && consecutiveFailures >= threshold;
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "Thresholds above 10 are treated as 10",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean reachesThreshold() {
                    return super.reachesThreshold()
                        || (config.failureThreshold() > 10 && consecutiveFailures >= 10);
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "Five failures among the last ten outcomes trip the breaker as well",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int last = ~0;

                  @Override
                  void countSuccess(long nanos) {
                    super.countSuccess(nanos);
                    last = last << 1 | 1;
                  }

                  @Override
                  void countFailure(long nanos) {
                    super.countFailure(nanos);
                    last <<= 1;
                  }

                  @Override
                  boolean reachesThreshold() {
                    return super.reachesThreshold()
                        || (config.failureThreshold() > 0 && Integer.bitCount(~last & 1023) >= 5);
                  }
                }),
        Fault.inTool(
            Rule.BRK_3,
            "With a threshold above 1 the cooldown starts at the last failure but one",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long before;

                  @Override
                  void applyFailure() {
                    long now = clock.getAsLong();
                    if (consecutiveFailures == 0) {
                      before = now;
                    }
                    super.applyFailure();
                    before = now;
                  }

                  @Override
                  void open(long since) {
                    super.open(state == CircuitState.CLOSED ? before : since);
                  }
                }),
        Fault.inTool(
                Rule.BRK_3,
                "The cooldown starts when the failed call began instead of when it failed",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      private long lasted;

                      @Override
                      void countFailure(long nanos) {
                        super.countFailure(nanos);
                        lasted = Math.max(0, nanos);
                      }

                      @Override
                      void open(long since) {
                        super.open(since - lasted);
                        lasted = 0;
                      }
                    })
            .orUnder(Rule.BRK_6, Rule.BRK_10),
        Fault.inTool(
                Rule.BRK_6,
                "Every hundredth call that should be refused is admitted",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      private int refusals;

                      @Override
                      boolean admit() {
                        return super.admit() || ++refusals % 100 == 0;
                      }
                    })
            .orUnder(Rule.BRK_8),
        Fault.inTool(
            Rule.BRK_6,
            "A call at the cooldown's very first instant is admitted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean admit() {
                    return super.admit()
                        || (state == CircuitState.OPEN && clock.getAsLong() == cooldownStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "A second call at the very instant of the probe's grant is admitted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean admit() {
                    boolean probing = state == CircuitState.HALF_OPEN;
                    return super.admit() || (probing && clock.getAsLong() == probeStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_9,
            "The probe's success at the very instant of its grant is ignored",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    if (state != CircuitState.HALF_OPEN || clock.getAsLong() != probeStart) {
                      super.applySuccess();
                    }
                  }
                }),
        Fault.inTool(
                Rule.BRK_9,
                "After a failure while OPEN the next probe's success is ignored",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      private boolean failed;

                      @Override
                      void restartCooldown(long now) {
                        super.restartCooldown(now);
                        failed = true;
                      }

                      @Override
                      void close() {
                        if (failed && state == CircuitState.HALF_OPEN) {
                          failed = false;
                        } else {
                          super.close();
                        }
                      }
                    })
            .orUnder(Rule.BRK_12),
        Fault.inTool(
            Rule.BRK_10,
            "After the probe's failure the cooldown still counts from its old start",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    open(cooldownStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_12,
            "No probe is granted once the breaker has opened ten times",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int trips;

                  @Override
                  void open(long since) {
                    super.open(since);
                    trips++;
                  }

                  @Override
                  boolean mayProbe(long now) {
                    return trips < 10 && super.mayProbe(now);
                  }
                }),
        Fault.inTool(
            Rule.BRK_12,
            "The fifth probe is granted but leaves the breaker OPEN",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int probes;

                  @Override
                  void grantProbe(long now) {
                    if (++probes != 5) {
                      super.grantProbe(now);
                    }
                  }
                }),
        Fault.inTool(
                Rule.BRK_12,
                "The third failed probe does not restart the cooldown",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      private int relapses;

                      @Override
                      void relapse(long now) {
                        open(++relapses == 3 ? cooldownStart : now);
                      }
                    })
            .orUnder(Rule.BRK_10),
        Fault.inTool(
            Rule.BRK_12,
            "The cooldown doubles from the second failed probe in a row",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int relapses;

                  @Override
                  void relapse(long now) {
                    super.relapse(now);
                    relapses++;
                  }

                  @Override
                  void close() {
                    super.close();
                    relapses = 0;
                  }

                  @Override
                  boolean cooldownElapsed(long now) {
                    return now - cooldownStartAt(now)
                        >= config.recoveryNanos() * (relapses >= 2 ? 2 : 1);
                  }
                }),
        Fault.inTool(
            Rule.LEASE_1,
            "A lease as long as the cooldown never ends",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return config.probeTimeoutNanos() != config.recoveryNanos()
                        && super.leaseElapsed(now);
                  }
                }),
        Fault.inTool(
                Rule.LEASE_1,
                "The lease is never longer than the cooldown",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      boolean leaseElapsed(long now) {
                        return now - probeStart >= leaseNanos();
                      }

                      @Override
                      long leaseEnd() {
                        return probeStart + leaseNanos();
                      }

                      private long leaseNanos() {
                        return Math.min(
                            config.probeTimeoutNanos(), Math.max(1, config.recoveryNanos()));
                      }
                    })
            .orUnder(Rule.BRK_8),
        Fault.inTool(
                Rule.LEASE_1,
                "The lease is never shorter than the cooldown",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      boolean leaseElapsed(long now) {
                        return now - probeStart >= leaseNanos();
                      }

                      @Override
                      long leaseEnd() {
                        return probeStart + leaseNanos();
                      }

                      private long leaseNanos() {
                        return Math.max(config.probeTimeoutNanos(), config.recoveryNanos());
                      }
                    })
            .orUnder(Rule.LEASE_2, Rule.LEASE_5),
        Fault.inTool(
                Rule.LEASE_2,
                "After an expired lease the cooldown starts one nanosecond early",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      long leaseEnd() {
                        return super.leaseEnd() - 1;
                      }
                    })
            .orUnder(Rule.LEASE_1),
        Fault.inTool(
            Rule.LEASE_3,
            "All leases but the first end one nanosecond late",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int probes;

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    probes++;
                  }

                  @Override
                  boolean leaseElapsed(long now) {
                    return super.leaseElapsed(now)
                        && (probes == 1 || now - probeStart > config.probeTimeoutNanos());
                  }
                }),
        Fault.inTool(
            Rule.LEASE_3,
            "Once a lease has expired, later probes have no lease",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean expired;
                  private boolean forEver;

                  @Override
                  void endExpiredLease(long now) {
                    expired |= leaseExpired(now);
                    super.endExpiredLease(now);
                  }

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    forEver = expired;
                  }

                  @Override
                  boolean leaseExpired(long now) {
                    return !forEver && super.leaseExpired(now);
                  }
                }),
        Fault.inTool(
                Rule.LEASE_4,
                "With probe timeout 0 the probe expires after a day",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      boolean leaseExpired(long now) {
                        return super.leaseExpired(now)
                            || (state == CircuitState.HALF_OPEN
                                && config.probeTimeoutNanos() == 0
                                && now - probeStart > 86_400_000_000_000L);
                      }
                    })
            .orUnder(Rule.BAD_2),
        Fault.inTool(
            Rule.LEASE_5,
            "A read at the very instant of the lease's end shows HALF_OPEN",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    boolean last =
                        state == CircuitState.HALF_OPEN
                            && clock.getAsLong() - probeStart == config.probeTimeoutNanos();
                    return last ? state : super.circuitState();
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "A success while OPEN closes the breaker when the next probe is granted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean succeeded;

                  @Override
                  void countSuccess(long nanos) {
                    super.countSuccess(nanos);
                    succeeded = state == CircuitState.OPEN;
                  }

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    if (succeeded) {
                      succeeded = false;
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "A success at the cooldown's very first instant closes the breaker",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    if (state == CircuitState.OPEN && clock.getAsLong() == cooldownStart) {
                      close();
                    }
                    super.applySuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_2,
            "A failure while OPEN after the cooldown's end starts a cooldown of double length",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    boolean elapsed = cooldownElapsed(now);
                    super.restartCooldown(now);
                    if (elapsed) {
                      cooldownStart += config.recoveryNanos();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "A success at the very instant of the lease's end closes the breaker",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    if (leaseExpired(clock.getAsLong()) && clock.getAsLong() == leaseEnd()) {
                      close();
                    }
                    super.applySuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "A success after the lease has expired closes once the cooldown has elapsed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    long now = clock.getAsLong();
                    if (leaseExpired(now) && mayProbe(now)) {
                      close();
                    }
                    super.applySuccess();
                  }
                }));
  }

  private static Fault failuresCountedIn(int bits) {
    long mask = (1L << bits) - 1;
    return Fault.inTool(
        Rule.BRK_2,
        "The consecutive failures are counted in " + bits + " bits",
        (config, clock) ->
            new LockingTool(config, clock) {
              @Override
              void applyFailure() {
                super.applyFailure();
                consecutiveFailures &= mask;
              }
            });
  }
}

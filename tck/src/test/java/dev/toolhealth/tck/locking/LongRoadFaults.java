package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faults of the breaker that take a long road to show, or one exact instant. */
final class LongRoadFaults {
  private LongRoadFaults() {}

  static List<Fault> all() {
    return List.of(
        runCountedIn("a byte", 255),
        runCountedIn("ten bits", 1023),
        runCountedIn("a short", 65535),
        Fault.inTool(
            Rule.BRK_2,
            "the run stops at a thousand",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedFailure() {
                    super.heedFailure();
                    consecutiveFailures = Math.min(1_000, consecutiveFailures);
                  }
                }),
        Fault.inTool(
                Rule.BRK_2,
                "the end of the lease, once noticed, ends the run",
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
            "the threshold is a byte",
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
            "thresholds beyond ten are ten",
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
            "half of the last ten outcomes trip as well",
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
            "with a threshold of more than one the cooldown counts from the failure before",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long before;

                  @Override
                  void heedFailure() {
                    long now = clock.getAsLong();
                    if (consecutiveFailures == 0) {
                      before = now;
                    }
                    super.heedFailure();
                    before = now;
                  }

                  @Override
                  void open(long since) {
                    super.open(state == CircuitState.CLOSED ? before : since);
                  }
                }),
        Fault.inTool(
                Rule.BRK_3,
                "the cooldown counts from when the call began",
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
                "every hundredth refusal is let through",
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
            "a call at the very instant of the trip is let through",
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
            "a call at the very instant of the grant is let through",
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
            "a success at the very instant of the grant is ignored",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    if (state != CircuitState.HALF_OPEN || clock.getAsLong() != probeStart) {
                      super.heedSuccess();
                    }
                  }
                }),
        Fault.inTool(
                Rule.BRK_9,
                "after a failure while open the next probe's success is ignored",
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
            "a relapse at the trip's own pace: the cooldown counts from the trip",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void relapse(long now) {
                    open(cooldownStart);
                  }
                }),
        Fault.inTool(
            Rule.BRK_12,
            "after the tenth trip there is no probe",
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
            "the fifth probe leaves the breaker open",
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
                "the third relapse leaves the cooldown as it was",
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
            "the cooldown doubles from the second relapse in a row",
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
            "a lease as long as the cooldown never ends",
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
                "the lease is as short as the cooldown",
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
                "the lease is as long as the cooldown",
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
                "the cooldown after a lease counts from a nanosecond before its end",
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
            "the second lease must be exceeded, not only reached",
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
            "the probe after an expired one has no lease",
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
                "without a lease a day serves as one",
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
            "a read at the very end of the lease shows the probe",
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
            "a success while open is kept for the next probe",
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
            "a success at the very instant of the trip undoes it",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    if (state == CircuitState.OPEN && clock.getAsLong() == cooldownStart) {
                      close();
                    }
                    super.heedSuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_2,
            "a failure after the cooldown costs two",
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
            "a probe's success at the very end of its lease closes",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    if (leaseExpired(clock.getAsLong()) && clock.getAsLong() == leaseEnd()) {
                      close();
                    }
                    super.heedSuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "a late success of the probe closes once the cooldown is over",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    long now = clock.getAsLong();
                    if (leaseExpired(now) && mayProbe(now)) {
                      close();
                    }
                    super.heedSuccess();
                  }
                }));
  }

  private static Fault runCountedIn(String what, long mask) {
    return Fault.inTool(
        Rule.BRK_2,
        "the run is counted in " + what,
        (config, clock) ->
            new LockingTool(config, clock) {
              @Override
              void heedFailure() {
                super.heedFailure();
                consecutiveFailures &= mask;
              }
            });
  }
}

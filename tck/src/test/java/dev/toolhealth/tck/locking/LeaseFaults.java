package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faulty leases: a probe expires at the wrong time, or is followed by the wrong cooldown. */
final class LeaseFaults {
  private LeaseFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.LEASE_1,
            "After an expired lease the cooldown starts when the expiry is noticed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return Math.max(super.leaseEnd(), clock.getAsLong());
                  }
                }),
        Fault.inTool(
            Rule.LEASE_1,
            "The lease ends one nanosecond early",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now - probeStart >= config.probeTimeoutNanos() - 1;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_1,
            "The lease ends one nanosecond late",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now - probeStart > config.probeTimeoutNanos();
                  }
                }),
        Fault.inTool(
                Rule.LEASE_1,
                "The lease starts at the cooldown's start instead of the grant",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void grantProbe(long now) {
                        super.grantProbe(cooldownStart);
                      }
                    })
            .orUnder(Rule.BRK_7),
        Fault.inTool(
                Rule.LEASE_1,
                "The lease starts at the cooldown's end instead of the grant",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void grantProbe(long now) {
                        super.grantProbe(cooldownStartAt(now) + config.recoveryNanos());
                      }
                    })
            .orUnder(Rule.BRK_7),
        Fault.inTool(
            Rule.LEASE_1,
            "A refused call renews the lease",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized boolean allowRequest() {
                    boolean allowed = super.allowRequest();
                    if (state == CircuitState.HALF_OPEN) {
                      probeStart = clock.getAsLong();
                    }
                    return allowed;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_1,
            "The lease is truncated to whole milliseconds",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now - probeStart >= config.probeTimeoutNanos() / 1_000_000 * 1_000_000;
                  }
                }),
        Fault.inTool(
                Rule.LEASE_1,
                "An expired lease closes the breaker",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void endExpiredLease(long now) {
                        if (leaseExpired(now)) {
                          close();
                        }
                      }
                    })
            .orUnder(Rule.LEASE_2),
        Fault.inTool(
            Rule.LEASE_2,
            "After an expired lease a new probe is granted without a cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return super.leaseEnd() - config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "After an expired lease the cooldown starts at the grant instead of the lease's end",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return probeStart;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "After an expired lease the cooldown is as long as the lease",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return super.leaseEnd() + config.probeTimeoutNanos() - config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "No cooldown follows a lease that is longer than the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    boolean longer = config.probeTimeoutNanos() > config.recoveryNanos();
                    return super.leaseEnd() - (longer ? config.recoveryNanos() : 0);
                  }
                }),
        Fault.inTool(
                Rule.LEASE_2,
                "The gate call that notices the expired lease is refused even after the cooldown",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      public synchronized boolean allowRequest() {
                        boolean expired = leaseExpired(clock.getAsLong());
                        endExpiredLease(clock.getAsLong());
                        return !expired && super.allowRequest();
                      }
                    })
            .orUnder(Rule.LEASE_1),
        Fault.inTool(
            Rule.LEASE_3,
            "Later leases start at the first grant",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean granted;

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(granted ? probeStart : now);
                    granted = true;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_3,
            "The second lease is only half as long",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int grants;

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now);
                    grants++;
                  }

                  @Override
                  boolean leaseElapsed(long now) {
                    return super.leaseElapsed(
                        grants == 2 ? now + config.probeTimeoutNanos() / 2 : now);
                  }
                }),
        Fault.inTool(
            Rule.LEASE_4,
            "With probe timeout 0 the probe expires at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseExpired(long now) {
                    return state == CircuitState.HALF_OPEN && leaseElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.LEASE_4,
            "With probe timeout 0 the lease is as long as the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseExpired(long now) {
                    return super.leaseExpired(now)
                        || (state == CircuitState.HALF_OPEN
                            && config.probeTimeoutNanos() == 0
                            && now - probeStart >= config.recoveryNanos());
                  }
                }),
        Fault.inTool(
            Rule.LEASE_5,
            "Reads show an expired probe as HALF_OPEN",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    return state;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_5,
            "Reads show an expired probe as HALF_OPEN once the next cooldown has elapsed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    return mayProbe(clock.getAsLong()) ? state : super.circuitState();
                  }
                }));
  }
}

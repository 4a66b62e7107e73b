package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faults in the time that a probe is given. */
final class LeaseFaults {
  private LeaseFaults() {}

  static List<Fault> all() {
    return List.of(
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
            Rule.LEASE_1,
            "the lease ends one nanosecond early",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now - probeStart >= config.probeTimeoutNanos() - 1;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_1,
            "the lease must be exceeded, not only reached",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now - probeStart > config.probeTimeoutNanos();
                  }
                }),
        Fault.inTool(
                Rule.LEASE_1,
                "the lease counts from the trip",
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
                "the lease counts from the cooldown's end",
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
            "a refused call renews the lease",
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
            "the lease is cut to whole milliseconds",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return now - probeStart >= config.probeTimeoutNanos() / 1_000_000 * 1_000_000;
                  }
                }),
        Fault.inTool(
                Rule.LEASE_1,
                "an expired probe closes",
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
            "after an expired lease a new probe is granted at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return super.leaseEnd() - config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "after an expired lease the cooldown counts from the grant",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return probeStart;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "after an expired lease the cooldown is as long as the lease",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    return super.leaseEnd() + config.probeTimeoutNanos() - config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.LEASE_2,
            "no cooldown follows a lease that is longer",
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
                "the call that notices the expiry is refused",
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
            "later leases count from the first grant",
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
            "the second lease is half as long",
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
            "a probe timeout of 0 expires at once",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseExpired(long now) {
                    return state == CircuitState.HALF_OPEN && leaseElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.LEASE_4,
            "without a lease the cooldown serves as one",
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
            "reads show an expired probe as half-open",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    return state;
                  }
                }),
        Fault.inTool(
            Rule.LEASE_5,
            "reads show an expired probe as half-open once its cooldown is over",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    return mayProbe(clock.getAsLong()) ? state : super.circuitState();
                  }
                }));
  }
}

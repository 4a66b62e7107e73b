package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faults in what becomes of results that come late. */
final class StaleFaults {
  private StaleFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STALE_1,
            "a success while open closes",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    close();
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "the second success while open closes",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int ignored;

                  @Override
                  void heedSuccess() {
                    ignored = state == CircuitState.OPEN ? ignored + 1 : 0;
                    super.heedSuccess();
                    if (ignored == 2) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "a success just before the cooldown's end closes after two refused calls around a failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private String heard = "";

                  private void hear(String what) {
                    String all = state == CircuitState.OPEN ? heard + what : "";
                    heard = all.substring(Math.max(0, all.length() - 40));
                  }

                  @Override
                  public synchronized boolean allowRequest() {
                    boolean allowed = super.allowRequest();
                    hear("refused ");
                    return allowed;
                  }

                  @Override
                  void heedFailure() {
                    super.heedFailure();
                    hear("failure ");
                  }

                  @Override
                  void heedSuccess() {
                    super.heedSuccess();
                    hear("success ");
                    if (heard.endsWith("refused failure refused success ")
                        && config.probeTimeoutNanos() > config.recoveryNanos()
                        && config.recoveryNanos() > 1
                        && clock.getAsLong() - cooldownStart == config.recoveryNanos() - 1) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "a success closes once the cooldown has elapsed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    super.heedSuccess();
                    if (mayProbe(clock.getAsLong())) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "a success while open takes a failure off the run",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    consecutiveFailures -= state == CircuitState.OPEN ? 1 : 0;
                    super.heedSuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "a success while open restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    super.heedSuccess();
                    restartCooldown(clock.getAsLong());
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "a success while open ends the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    super.heedSuccess();
                    cooldownStart -= config.recoveryNanos();
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
            Rule.STALE_2,
            "a failure after the cooldown does not restart it",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    if (!mayProbe(now)) {
                      super.restartCooldown(now);
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_2,
            "only the first failure while open restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private boolean restarted;

                  @Override
                  void restartCooldown(long now) {
                    if (!restarted) {
                      super.restartCooldown(now);
                    }
                    restarted = true;
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "a probe's success closes however late it is",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    if (state != CircuitState.OPEN) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "a late success of the probe restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    boolean late = leaseExpired(clock.getAsLong());
                    super.heedSuccess();
                    if (late) {
                      restartCooldown(clock.getAsLong());
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "a late success of the probe ends the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    boolean late = leaseExpired(clock.getAsLong());
                    super.heedSuccess();
                    if (late) {
                      cooldownStart -= config.recoveryNanos();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "a late success of the probe ends the run of failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedSuccess() {
                    consecutiveFailures *= leaseExpired(clock.getAsLong()) ? 0 : 1;
                    super.heedSuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_4,
            "a late failure of the probe leaves the cooldown at the lease's end",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedFailure() {
                    boolean late = leaseExpired(clock.getAsLong());
                    long end = leaseEnd();
                    super.heedFailure();
                    if (late) {
                      cooldownStart = end;
                    }
                  }
                }),
        Fault.inTool(
                Rule.STALE_4,
                "a late failure of the probe does not count",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void heedFailure() {
                        consecutiveFailures -= leaseExpired(clock.getAsLong()) ? 1 : 0;
                        super.heedFailure();
                      }
                    })
            .orUnder(Rule.BRK_2),
        Fault.inTool(
            Rule.STALE_4,
            "a late failure of the probe does not restart a cooldown that is over",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void heedFailure() {
                    long end = leaseEnd();
                    boolean over = leaseExpired(clock.getAsLong()) && mayProbe(clock.getAsLong());
                    super.heedFailure();
                    if (over) {
                      cooldownStart = end;
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
                }));
  }
}

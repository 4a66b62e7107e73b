package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faulty handling of stale outcomes. */
final class StaleFaults {
  private StaleFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STALE_1,
            "A success while OPEN closes the breaker",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    close();
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "The second success while OPEN closes the breaker",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int ignored;

                  @Override
                  void applySuccess() {
                    ignored = state == CircuitState.OPEN ? ignored + 1 : 0;
                    super.applySuccess();
                    if (ignored == 2) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "A success 1 ns before the cooldown's end closes after two refusals around a failure",
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
                  void applyFailure() {
                    super.applyFailure();
                    hear("failure ");
                  }

                  @Override
                  void applySuccess() {
                    super.applySuccess();
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
            "A success while OPEN closes the breaker once the cooldown has elapsed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    super.applySuccess();
                    if (mayProbe(clock.getAsLong())) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "A success while OPEN lowers the consecutive failures by one",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    consecutiveFailures -= state == CircuitState.OPEN ? 1 : 0;
                    super.applySuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "A success while OPEN restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    super.applySuccess();
                    restartCooldown(clock.getAsLong());
                  }
                }),
        Fault.inTool(
            Rule.STALE_1,
            "A success while OPEN ends the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    super.applySuccess();
                    cooldownStart -= config.recoveryNanos();
                  }
                }),
        Fault.inTool(
            Rule.STALE_2,
            "A failure while OPEN does not restart the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {}
                }),
        Fault.inTool(
            Rule.STALE_2,
            "A failure while OPEN does not restart a cooldown that has elapsed",
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
            "Only the first failure while OPEN ever restarts the cooldown",
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
            "A success after the probe's lease has expired closes the breaker",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    if (state != CircuitState.OPEN) {
                      close();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "A success after the probe's lease has expired restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    boolean late = leaseExpired(clock.getAsLong());
                    super.applySuccess();
                    if (late) {
                      restartCooldown(clock.getAsLong());
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "A success after the probe's lease has expired ends the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    boolean late = leaseExpired(clock.getAsLong());
                    super.applySuccess();
                    if (late) {
                      cooldownStart -= config.recoveryNanos();
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_3,
            "A success after the probe's lease has expired resets the consecutive failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applySuccess() {
                    consecutiveFailures *= leaseExpired(clock.getAsLong()) ? 0 : 1;
                    super.applySuccess();
                  }
                }),
        Fault.inTool(
            Rule.STALE_4,
            "A failure after the probe's lease has expired does not restart the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applyFailure() {
                    boolean late = leaseExpired(clock.getAsLong());
                    long end = leaseEnd();
                    super.applyFailure();
                    if (late) {
                      cooldownStart = end;
                    }
                  }
                }),
        Fault.inTool(
                Rule.STALE_4,
                "A failure after the probe's lease has expired is no consecutive failure",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void applyFailure() {
                        consecutiveFailures -= leaseExpired(clock.getAsLong()) ? 1 : 0;
                        super.applyFailure();
                      }
                    })
            .orUnder(Rule.BRK_2),
        Fault.inTool(
            Rule.STALE_4,
            "A failure after an expired lease does not restart a cooldown that has elapsed",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void applyFailure() {
                    long end = leaseEnd();
                    boolean over = leaseExpired(clock.getAsLong()) && mayProbe(clock.getAsLong());
                    super.applyFailure();
                    if (over) {
                      cooldownStart = end;
                    }
                  }
                }),
        Fault.inTool(
            Rule.STALE_5,
            "A failure with an older clock value moves the cooldown's start backwards",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    cooldownStart = now;
                  }
                }));
  }
}

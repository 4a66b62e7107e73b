package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faults of permits. */
final class PermitFaults {
  private PermitFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inPermits(
            Rule.PERMIT_1,
            "a permit is granted while OPEN",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  synchronized Permit tryAcquire() {
                    return state == CircuitState.OPEN ? new Granted(period) : super.tryAcquire();
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "a permit is granted beside the probe",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  synchronized Permit tryAcquire() {
                    return stateAt(clock.getAsLong()) == CircuitState.HALF_OPEN
                        ? new Granted(period)
                        : super.tryAcquire();
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "a permit's probe is none",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  synchronized Permit tryAcquire() {
                    CircuitState before = state;
                    Permit permit = super.tryAcquire();
                    state = before;
                    return permit;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "no probe is granted with a permit",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  synchronized Permit tryAcquire() {
                    return state == CircuitState.CLOSED ? super.tryAcquire() : new Refused(1);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "a refusal always names the whole cooldown",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  long retryAfter(long now) {
                    return config.recoveryNanos();
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "a refusal beside the probe names the lease alone",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  long retryAfter(long now) {
                    return state == CircuitState.HALF_OPEN
                        ? leaseEnd() - now
                        : super.retryAfter(now);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "a refusal beside a probe without a lease names the cooldown",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  long retryAfter(long now) {
                    long right = super.retryAfter(now);
                    return right == Permit.UNBOUNDED ? config.recoveryNanos() : right;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "a permit's probe is taken by check and act",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  Permit tryAcquire() {
                    boolean available = isAvailable();
                    if (state == CircuitState.OPEN) {
                      Window.open();
                    }
                    Permit permit = super.tryAcquire();
                    return available && !permit.isGranted() ? new Granted(period) : permit;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "any permit decides HALF_OPEN",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    boolean some = permit != null && probe != null;
                    return (state != CircuitState.HALF_OPEN || !some) && super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "results by name decide a probe with a permit",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    return permit != null && super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "permits decide a probe by name",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    return (state != CircuitState.HALF_OPEN || probe != null)
                        && super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "the probe's own permit does not decide",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    boolean own = permit != null && permit == probe;
                    return (state == CircuitState.HALF_OPEN && own) || super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "an earlier probe's permit passes for the probe's",
            (config, clock) ->
                new PermitTool(config, clock) {
                  private @Nullable Granted earlier;

                  @Override
                  void open(long since) {
                    earlier = state == CircuitState.HALF_OPEN ? probe : earlier;
                    super.open(since);
                  }

                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    boolean mistaken = permit != null && permit == earlier && probe != null;
                    return (state != CircuitState.HALF_OPEN || !mistaken)
                        && super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "a success that is ignored ends the run of failures",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void heedSuccess(@Nullable Granted permit) {
                    boolean beside = state == CircuitState.HALF_OPEN && permit != probe;
                    super.heedSuccess(permit);
                    consecutiveFailures *= beside ? 0 : 1;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "a failure that is ignored lengthens the run",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void heedFailure(@Nullable Granted permit) {
                    boolean beside = state == CircuitState.HALF_OPEN && permit != probe;
                    super.heedFailure(permit);
                    consecutiveFailures += beside && state == CircuitState.HALF_OPEN ? 1 : 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "a result that is ignored does not count",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void heedSuccess(@Nullable Granted permit) {
                    boolean beside = state == CircuitState.HALF_OPEN && permit != probe;
                    super.heedSuccess(permit);
                    successes -= beside && state == CircuitState.HALF_OPEN ? 1 : 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "a result that is ignored gives the probe a new lease",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    boolean ignored = super.isIgnored(permit);
                    if (ignored && state == CircuitState.HALF_OPEN) {
                      probeStart = clock.getAsLong();
                    }
                    return ignored;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "a success from before the trip ends a run",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void heedSuccess(@Nullable Granted permit) {
                    super.heedSuccess(permit);
                    consecutiveFailures *= state == CircuitState.CLOSED ? 0 : 1;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "a failure from before the trip counts once CLOSED",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void heedFailure(@Nullable Granted permit) {
                    super.heedFailure(
                        permit != null && state == CircuitState.CLOSED ? null : permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "an earlier probe's result counts once CLOSED",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void endExpiredLease(long now) {
                    long before = period;
                    super.endExpiredLease(now);
                    period = before;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "results of one trip ago count, only those of two ago do not",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isStale(Granted permit) {
                    return period - permit.period > 1;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "a stale failure does not restart the cooldown",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    return state == CircuitState.OPEN
                        ? permit != null && isStale(permit)
                        : super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "after a recovery no permit is heeded",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isStale(Granted permit) {
                    return period > 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "a success with a permit closes while OPEN",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void heedSuccess(@Nullable Granted permit) {
                    super.heedSuccess(permit);
                    if (permit != null && state == CircuitState.OPEN) {
                      close();
                    }
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "cancelling counts as a failure",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(permit);
                    countFailure(0);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "cancelling ends the run of failures",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(permit);
                    consecutiveFailures = 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "a cancelled probe is waited for",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {}
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "a cancelled probe starts a cooldown",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(permit);
                    cooldownStart = permit == probe ? clock.getAsLong() : cooldownStart;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "a cancelled probe closes the breaker",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    if (permit == probe && stateAt(clock.getAsLong()) == CircuitState.HALF_OPEN) {
                      state = CircuitState.CLOSED;
                    }
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "any permit that is cancelled gives the slot back",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(probe != null ? probe : permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "a probe that is cancelled too late gives its slot back",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    if (state == CircuitState.HALF_OPEN && permit == probe) {
                      open(clock.getAsLong() - config.recoveryNanos());
                    }
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "cancelling a permit ends the cooldown",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(permit);
                    if (state == CircuitState.OPEN) {
                      cooldownStart = clock.getAsLong() - config.recoveryNanos();
                    }
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "a permit reports as often as it likes",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean reports(Granted permit) {
                    return true;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "two reports at once both count",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean reports(Granted permit) {
                    return true;
                  }

                  @Override
                  synchronized Permit tryAcquire() {
                    return new Hasty(super.tryAcquire());
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "a cancelled permit may still report",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(permit);
                    permit.hasReported = false;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "closing reports a failure",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void close(Granted permit) {
                    permit.failure(0);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "closing does nothing",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void close(Granted permit) {}
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "closing cancels what has reported",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void close(Granted permit) {
                    if (state == CircuitState.OPEN) {
                      cooldownStart = clock.getAsLong() - config.recoveryNanos();
                    }
                    super.close(permit);
                  }
                }));
  }

  /** Looks whether it has reported, and then reports, without keeping others out. */
  private static final class Hasty implements Permit {
    private final Permit permit;
    private volatile boolean hasReported;

    Hasty(Permit permit) {
      this.permit = permit;
    }

    @Override
    public boolean isGranted() {
      return permit.isGranted();
    }

    @Override
    public long retryAfterNanos() {
      return permit.retryAfterNanos();
    }

    private void report(Runnable report) {
      if (!hasReported) {
        Window.open();
        hasReported = true;
        report.run();
      }
    }

    @Override
    public void success(long nanos) {
      report(() -> permit.success(nanos));
    }

    @Override
    public void failure(long nanos) {
      report(() -> permit.failure(nanos));
    }

    @Override
    public void cancel() {
      report(permit::cancel);
    }

    @Override
    public void close() {
      cancel();
    }
  }
}

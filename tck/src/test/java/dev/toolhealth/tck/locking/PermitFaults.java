package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faulty permits. */
final class PermitFaults {
  private PermitFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inPermits(
            Rule.PERMIT_1,
            "A permit is granted while OPEN",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  synchronized Permit tryAcquire() {
                    return state == CircuitState.OPEN ? new Granted(period) : super.tryAcquire();
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "A permit is granted while a probe is live",
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
            "Granting the probe with a permit leaves the state unchanged",
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
            "No probe is granted with a permit",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  synchronized Permit tryAcquire() {
                    return state == CircuitState.CLOSED ? super.tryAcquire() : new Refused(1);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "Every refusal states the whole cooldown as the time to wait",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  long retryAfter(long now) {
                    return config.recoveryNanos();
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_1,
            "A refusal while a probe is live states the rest of the lease without the cooldown",
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
            "A refusal while a probe without a lease is live states the cooldown",
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
                "Two callers that race for the probe's permit can both get it",
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
                    })
            .inRacesOnly(),
        Fault.inPermits(
            Rule.PERMIT_2,
            "Any permit decides a probe that was granted with a permit",
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
            "An outcome by name decides a probe that was granted with a permit",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isIgnored(@Nullable Granted permit) {
                    return permit != null && super.isIgnored(permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "Any permit decides a probe that was granted by name",
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
            "The result of the probe's own permit is ignored",
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
            "The permit of an earlier probe decides the current probe",
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
            "A success while HALF_OPEN that is not the probe's resets the consecutive failures",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void applySuccess(@Nullable Granted permit) {
                    boolean beside = state == CircuitState.HALF_OPEN && permit != probe;
                    super.applySuccess(permit);
                    consecutiveFailures *= beside ? 0 : 1;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "A failure while HALF_OPEN that is not the probe's is a consecutive failure",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void applyFailure(@Nullable Granted permit) {
                    boolean beside = state == CircuitState.HALF_OPEN && permit != probe;
                    super.applyFailure(permit);
                    consecutiveFailures += beside && state == CircuitState.HALF_OPEN ? 1 : 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "A success while HALF_OPEN that is not the probe's is not counted",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void applySuccess(@Nullable Granted permit) {
                    boolean beside = state == CircuitState.HALF_OPEN && permit != probe;
                    super.applySuccess(permit);
                    successes -= beside && state == CircuitState.HALF_OPEN ? 1 : 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_2,
            "A result while HALF_OPEN that is not the probe's renews the lease",
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
            "A stale success while CLOSED resets the consecutive failures",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void applySuccess(@Nullable Granted permit) {
                    super.applySuccess(permit);
                    consecutiveFailures *= state == CircuitState.CLOSED ? 0 : 1;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "A stale failure while CLOSED counts as a consecutive failure",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void applyFailure(@Nullable Granted permit) {
                    super.applyFailure(
                        permit != null && state == CircuitState.CLOSED ? null : permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "The result of an expired probe is not ignored once the breaker is CLOSED",
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
            "A permit becomes stale only at the second trip after its grant",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isStale(Granted permit) {
                    return period - permit.period > 1;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "A stale failure while OPEN does not restart the cooldown",
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
            "After a recovery the results of all permits are ignored while CLOSED",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean isStale(Granted permit) {
                    return period > 0;
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_3,
            "A success with a permit closes the breaker while OPEN",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void applySuccess(@Nullable Granted permit) {
                    super.applySuccess(permit);
                    if (permit != null && state == CircuitState.OPEN) {
                      close();
                    }
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "Cancelling a permit counts as a failure",
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
            "Cancelling a permit resets the consecutive failures",
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
            "Cancelling the probe does not return its slot",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {}
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "Cancelling the probe starts a cooldown",
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
            "Cancelling the probe closes the breaker",
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
            "Cancelling any permit returns the probe's slot",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void giveBack(Granted permit) {
                    super.giveBack(probe != null ? probe : permit);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_4,
            "Cancelling an expired probe ends the cooldown",
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
            "Cancelling any permit while OPEN ends the cooldown",
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
            "A permit can report more than once",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  boolean reports(Granted permit) {
                    return true;
                  }
                }),
        Fault.inPermits(
                Rule.PERMIT_5,
                "Two concurrent reports of one permit both count",
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
                    })
            .inRacesOnly(),
        Fault.inPermits(
            Rule.PERMIT_5,
            "A cancelled permit can still report",
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
            "Closing a permit that has not reported records a failure",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void close(Granted permit) {
                    permit.failure(0);
                  }
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "Closing a permit that has not reported does not cancel it",
            (config, clock) ->
                new PermitTool(config, clock) {
                  @Override
                  void close(Granted permit) {}
                }),
        Fault.inPermits(
            Rule.PERMIT_5,
            "Closing a permit while OPEN ends the cooldown",
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

  /** A permit that checks for an earlier report and then reports, without a lock. */
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

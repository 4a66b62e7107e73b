package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A tool with permits, which tie results to admissions. */
class PermitTool extends LockingTool {
  /** The number of times the breaker has opened. A permit of an earlier period is stale. */
  long period;

  /** The probe's permit, or null if the gate granted it. Meaningful only while HALF_OPEN. */
  @Nullable Granted probe;

  PermitTool(Config config, LongSupplier clock) {
    super(config, clock);
  }

  synchronized Permit tryAcquire() {
    if (!admit()) {
      return new Refused(retryAfter(clock.getAsLong()));
    }
    Granted granted = new Granted(period);
    probe = granted;
    return granted;
  }

  /** Returns the time until the next probe can be granted, for a call refused just now. */
  long retryAfter(long now) {
    if (state == CircuitState.OPEN) {
      return config.recoveryNanos() - (now - cooldownStart);
    }
    if (config.probeTimeoutNanos() == 0) {
      return Permit.UNBOUNDED;
    }
    long leaseLeft = config.probeTimeoutNanos() - (now - probeStart);
    return leaseLeft > Long.MAX_VALUE - config.recoveryNanos()
        ? Long.MAX_VALUE
        : leaseLeft + config.recoveryNanos();
  }

  @Override
  void grantProbe(long now) {
    super.grantProbe(now);
    probe = null;
  }

  @Override
  void open(long since) {
    period += state == CircuitState.OPEN ? 0 : 1;
    super.open(since);
  }

  @Override
  void applySuccess() {
    applySuccess(null);
  }

  @Override
  void applyFailure() {
    applyFailure(null);
  }

  void applySuccess(@Nullable Granted permit) {
    endExpiredLease(clock.getAsLong());
    if (!isIgnored(permit)) {
      super.applySuccess();
    }
  }

  void applyFailure(@Nullable Granted permit) {
    endExpiredLease(clock.getAsLong());
    if (!isIgnored(permit)) {
      super.applyFailure();
    }
  }

  boolean isIgnored(@Nullable Granted permit) {
    return switch (state) {
      case CLOSED -> permit != null && isStale(permit);
      case OPEN -> false;
      case HALF_OPEN -> permit != probe;
    };
  }

  /** Returns whether the permit was granted before the breaker last opened. */
  boolean isStale(Granted permit) {
    return permit.period != period;
  }

  void giveBack(Granted permit) {
    long now = clock.getAsLong();
    endExpiredLease(now);
    if (state == CircuitState.HALF_OPEN && probe == permit) {
      open(now - config.recoveryNanos());
    }
  }

  void close(Granted permit) {
    permit.cancel();
  }

  record Refused(@Override long retryAfterNanos) implements Permit {
    @Override
    public boolean isGranted() {
      return false;
    }

    @Override
    public void success(long nanos) {}

    @Override
    public void failure(long nanos) {}

    @Override
    public void cancel() {}

    @Override
    public void close() {}
  }

  final class Granted implements Permit {
    final long period;
    boolean hasReported;

    Granted(long period) {
      this.period = period;
    }

    @Override
    public boolean isGranted() {
      return true;
    }

    @Override
    public long retryAfterNanos() {
      return 0;
    }

    @Override
    public void success(long nanos) {
      synchronized (PermitTool.this) {
        if (reports(this)) {
          countSuccess(nanos);
          applySuccess(this);
        }
      }
    }

    @Override
    public void failure(long nanos) {
      synchronized (PermitTool.this) {
        if (reports(this)) {
          countFailure(nanos);
          applyFailure(this);
        }
      }
    }

    @Override
    public void cancel() {
      synchronized (PermitTool.this) {
        if (reports(this)) {
          giveBack(this);
        }
      }
    }

    @Override
    public void close() {
      synchronized (PermitTool.this) {
        PermitTool.this.close(this);
      }
    }
  }

  /** Marks the permit as reported, and returns true for the first report. */
  boolean reports(Granted permit) {
    boolean first = !permit.hasReported;
    permit.hasReported = true;
    return first;
  }
}

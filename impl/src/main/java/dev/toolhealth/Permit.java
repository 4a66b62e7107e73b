package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gate's answer to one call, and the place to report the call's result.
 *
 * <p>By name alone, a breaker cannot tell whose result arrives: a call from before the trip may
 * return while the probe is running, and would be taken for the probe. A permit ties a result to
 * its admission. Only the live probe's own permit decides a half-open breaker (PERMIT-2). Once the
 * breaker has closed again, a result from before the last trip has no effect (PERMIT-3). The
 * statistics count every result.
 *
 * <p>A permit reports once, by {@link #success}, {@link #failure} or {@link #cancel}. Later reports
 * have no effect, so a call and its watchdog may both report (PERMIT-5). Closing a permit that has
 * not reported cancels the permit.
 *
 * <p>Safe for use by multiple threads: the first report counts.
 */
public abstract sealed class Permit implements AutoCloseable {
  private static final Optional<Duration> NO_WAIT = Optional.of(Duration.ZERO);

  private Permit() {}

  static Permit granted(ToolHealth tool, BreakerState admission) {
    return new Granted(tool, admission);
  }

  static Permit refused(String tool, Optional<Duration> retryAfter) {
    return new Refused(tool, retryAfter);
  }

  /**
   * Returns whether the gate admitted the call. The answer never changes.
   *
   * @return true if the call may be made
   */
  public abstract boolean isGranted();

  /**
   * Returns how long a refused call should wait (PERMIT-1).
   *
   * @return the time until a probe can be granted at the latest, if nothing else happens: zero for
   *     a granted permit, more than zero for a refused permit, and empty while a probe without a
   *     lease is running (LEASE-4)
   */
  public abstract Optional<Duration> retryAfter();

  /**
   * Reports that the call succeeded.
   *
   * @param duration how long the call took; a negative duration counts as zero, and a long one as
   *     2<sup>63</sup> - 1 nanoseconds at most (STAT-6)
   * @throws IllegalStateException if this permit is refused; nothing is counted then
   */
  public final void success(Duration duration) {
    successNanos(Nanos.saturated(duration, "duration"));
  }

  /**
   * Reports that the call succeeded.
   *
   * @param durationNanos how long the call took, in nanoseconds; a negative number counts as zero
   *     (STAT-6)
   * @throws IllegalStateException if this permit is refused; nothing is counted then
   */
  public abstract void successNanos(long durationNanos);

  /**
   * Reports that the call failed.
   *
   * @param duration how long the call took; a negative duration counts as zero, and a long one as
   *     2<sup>63</sup> - 1 nanoseconds at most (STAT-6)
   * @throws IllegalStateException if this permit is refused; nothing is counted then
   */
  public final void failure(Duration duration) {
    failureNanos(Nanos.saturated(duration, "duration"));
  }

  /**
   * Reports that the call failed.
   *
   * @param durationNanos how long the call took, in nanoseconds; a negative number counts as zero
   *     (STAT-6)
   * @throws IllegalStateException if this permit is refused; nothing is counted then
   */
  public abstract void failureNanos(long durationNanos);

  /**
   * Reports that the call has no outcome: the call was not made, or the caller gave up waiting.
   * Nothing is counted. If the call was the live probe, the next call can be granted the probe at
   * once (PERMIT-4). Has no effect on a refused permit.
   */
  public abstract void cancel();

  /** Cancels this permit, unless the permit has reported (PERMIT-5). */
  @Override
  public final void close() {
    cancel();
  }

  private static final class Granted extends Permit {
    private static final VarHandle ADMISSION =
        Fields.of(MethodHandles.lookup(), "admission", BreakerState.class);

    private final ToolHealth tool;

    /** The state that admitted the call, or null once the permit has reported. */
    @SuppressWarnings("UnusedVariable") // accessed through ADMISSION
    private volatile @Nullable BreakerState admission;

    Granted(ToolHealth tool, BreakerState admission) {
      this.tool = tool;
      this.admission = admission;
    }

    @Override
    public boolean isGranted() {
      return true;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return NO_WAIT;
    }

    @Override
    public void successNanos(long durationNanos) {
      BreakerState taken = takeAdmission();
      if (taken != null) {
        tool.recordSuccess(durationNanos, taken);
      }
    }

    @Override
    public void failureNanos(long durationNanos) {
      BreakerState taken = takeAdmission();
      if (taken != null) {
        tool.recordFailure(durationNanos, taken);
      }
    }

    @Override
    public void cancel() {
      BreakerState taken = takeAdmission();
      if (taken != null) {
        tool.cancel(taken);
      }
    }

    /** Returns the admission to the first caller, who may report, and null to all others. */
    private @Nullable BreakerState takeAdmission() {
      return (BreakerState) ADMISSION.getAndSet(this, (@Nullable BreakerState) null);
    }
  }

  private static final class Refused extends Permit {
    private final String tool;
    private final Optional<Duration> retryAfter;

    Refused(String tool, Optional<Duration> retryAfter) {
      this.tool = tool;
      this.retryAfter = retryAfter;
    }

    @Override
    public boolean isGranted() {
      return false;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return retryAfter;
    }

    @Override
    public void successNanos(long durationNanos) {
      throw nothingToReport("success");
    }

    @Override
    public void failureNanos(long durationNanos) {
      throw nothingToReport("failure");
    }

    @Override
    public void cancel() {}

    private IllegalStateException nothingToReport(String outcome) {
      return new IllegalStateException(
          "the permit for %s was refused, so there is no %s to report: call isGranted() first"
              .formatted(tool, outcome));
    }
  }
}

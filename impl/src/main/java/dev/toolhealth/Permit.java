package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gate's answer to one call, and the one way for that call to report. By name alone a breaker
 * cannot tell whose result arrives: a call that was let through before the trip can return while
 * the probe is out, and be taken for it. With permits only the probe's own result decides
 * (PERMIT-2), and a result from before the last trip says nothing of a tool that has recovered
 * since (PERMIT-3). All results count in the statistics.
 *
 * <p>A permit reports once, by {@link #success}, {@link #failure} or {@link #cancel}; whatever
 * comes after that changes nothing, so that a watchdog and the call that it watches may both report
 * (PERMIT-5). Closing a permit that has not reported cancels it.
 *
 * <p>Safe for use by any number of threads: the first report counts.
 */
public final class Permit implements AutoCloseable {
  static final Optional<Duration> AT_ONCE = Optional.of(Duration.ZERO);

  private static final VarHandle ADMISSION =
      Fields.of(MethodHandles.lookup(), "admission", BreakerState.class);

  private final ToolHealth tool;
  private final Optional<Duration> retryAfter;

  /** The state that has let the call through; null as soon as the permit has reported. */
  @SuppressWarnings("UnusedVariable") // reached through ADMISSION
  private volatile @Nullable BreakerState admission;

  private Permit(ToolHealth tool, Optional<Duration> retryAfter, @Nullable BreakerState admission) {
    this.tool = tool;
    this.retryAfter = retryAfter;
    this.admission = admission;
  }

  static Permit granted(ToolHealth tool, BreakerState admission) {
    return new Permit(tool, AT_ONCE, admission);
  }

  static Permit refused(ToolHealth tool, Optional<Duration> retryAfter) {
    return new Permit(tool, retryAfter, null);
  }

  /**
   * Says whether to make the call.
   *
   * @return true if the gate let it through; it stays so after the report
   */
  public boolean isGranted() {
    return retryAfter.equals(AT_ONCE);
  }

  /**
   * Says how long a refused call should wait (PERMIT-1).
   *
   * @return how long it takes at the latest until a probe can be granted, if nothing comes in
   *     between: more than zero if refused; zero if granted; empty while a probe without a lease is
   *     out (LEASE-4)
   */
  public Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /**
   * Reports that the call succeeded.
   *
   * @param duration how long it took; a negative one counts as zero, one beyond 2<sup>63</sup> - 1
   *     nanoseconds as that (STAT-6)
   * @throws IllegalStateException if this permit was refused; nothing is counted then
   */
  public void success(Duration duration) {
    success(Nanos.saturated(duration, "duration"));
  }

  /**
   * Reports that the call succeeded.
   *
   * @param nanos how many nanoseconds it took; a negative number counts as zero (STAT-6)
   * @throws IllegalStateException if this permit was refused; nothing is counted then
   */
  public void success(long nanos) {
    BreakerState admission = report("success");
    if (admission != null) {
      tool.recordSuccess(nanos, admission);
    }
  }

  /**
   * Reports that the call failed.
   *
   * @param duration how long it took; a negative one counts as zero, one beyond 2<sup>63</sup> - 1
   *     nanoseconds as that (STAT-6)
   * @throws IllegalStateException if this permit was refused; nothing is counted then
   */
  public void failure(Duration duration) {
    failure(Nanos.saturated(duration, "duration"));
  }

  /**
   * Reports that the call failed.
   *
   * @param nanos how many nanoseconds it took; a negative number counts as zero (STAT-6)
   * @throws IllegalStateException if this permit was refused; nothing is counted then
   */
  public void failure(long nanos) {
    BreakerState admission = report("failure");
    if (admission != null) {
      tool.recordFailure(nanos, admission);
    }
  }

  /**
   * Reports that the call came to nothing that could be said of the tool: it was not made, or given
   * up. Nothing is counted. If it was the live probe the next call can be granted the probe at once
   * (PERMIT-4). Does nothing if the permit was refused.
   */
  public void cancel() {
    BreakerState admission = take();
    if (admission != null) {
      tool.cancel(admission);
    }
  }

  /** Cancels this permit if it has not reported (PERMIT-5). */
  @Override
  public void close() {
    cancel();
  }

  private @Nullable BreakerState report(String what) {
    if (!isGranted()) {
      throw new IllegalStateException(
          "the permit for %s was refused, so there is no %s to report: call isGranted() first"
              .formatted(tool.name(), what));
    }
    return take();
  }

  /** Whoever gets the admission reports. */
  private @Nullable BreakerState take() {
    return (BreakerState) ADMISSION.getAndSet(this, (@Nullable BreakerState) null);
  }
}

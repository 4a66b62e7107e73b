package dev.toolhealth.tck;

/**
 * The gate's decision about one call, and the channel for reporting the result of the same call
 * (PERMIT-1 to PERMIT-5).
 *
 * <p>A permit counts one report: {@link #success}, {@link #failure} or {@link #cancel}. Later
 * reports change nothing. Several threads may report at the same time.
 */
public interface Permit extends AutoCloseable {
  /** The {@link #retryAfterNanos} of a refused permit while a probe without a lease is out. */
  long UNBOUNDED = -1;

  /**
   * Returns whether the call may be made.
   *
   * @return true if the gate admitted the call
   */
  boolean isGranted();

  /**
   * Returns how long a refused caller should wait before trying again.
   *
   * @return the nanoseconds until a probe can be granted at the latest; 0 if the permit is granted;
   *     {@link #UNBOUNDED} if the running probe has no lease
   */
  long retryAfterNanos();

  /**
   * Reports that the call succeeded. The kit never reports on a refused permit.
   *
   * @param durationNanos the duration of the call in nanoseconds; negative values count as 0
   *     (STAT-6)
   */
  void success(long durationNanos);

  /**
   * Reports that the call failed. The kit never reports on a refused permit.
   *
   * @param durationNanos the duration of the call in nanoseconds; negative values count as 0
   *     (STAT-6)
   */
  void failure(long durationNanos);

  /**
   * Reports that the call has no outcome (PERMIT-4). Cancelling a refused permit changes nothing,
   * and the kit checks this.
   */
  void cancel();

  /** Cancels the permit unless a result was reported (PERMIT-5). */
  @Override
  void close();
}

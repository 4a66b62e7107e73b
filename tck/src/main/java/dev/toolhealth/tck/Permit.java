package dev.toolhealth.tck;

/** The gate's answer to one call, and the way for that call, and no other, to report. */
public interface Permit extends AutoCloseable {
  /** The wait of a refused permit if nothing bounds it: a probe without a lease is out. */
  long UNBOUNDED = -1;

  /**
   * Says whether to make the call.
   *
   * @return whether the gate let it through
   */
  boolean isGranted();

  /**
   * Says how long a refused call should wait.
   *
   * @return the nanoseconds after which, at the latest, a probe can be granted; 0 if granted, or
   *     {@link #UNBOUNDED}
   */
  long retryAfterNanos();

  /**
   * Reports that the call succeeded. The kit does not report on a permit that was refused.
   *
   * @param nanos how long the call took
   */
  void success(long nanos);

  /**
   * Reports that the call failed.
   *
   * @param nanos how long the call took
   */
  void failure(long nanos);

  /** Reports that the call came to nothing. The kit cancels refused permits, too. */
  void cancel();

  /** Cancels the permit if it has not reported. */
  @Override
  void close();
}

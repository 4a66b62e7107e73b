package dev.toolhealth.tck;

/**
 * A handle on one tool: the core operations of {@link Subject} without the look-up by name. The kit
 * uses a handle and the tool's name in turns and expects the same answers (REG-2).
 *
 * <p>Handles are thread-safe.
 */
public interface Handle {

  /**
   * Asks the gate, like {@link Subject#allowRequest}.
   *
   * @return true if the call may be made
   */
  boolean allowRequest();

  /**
   * Records a success, like {@link Subject#recordSuccess}.
   *
   * @param durationNanos the duration of the call in nanoseconds; negative values count as 0
   *     (STAT-6)
   */
  void recordSuccess(long durationNanos);

  /**
   * Records a failure, like {@link Subject#recordFailure}.
   *
   * @param durationNanos the duration of the call in nanoseconds; negative values count as 0
   *     (STAT-6)
   */
  void recordFailure(long durationNanos);
}

package dev.toolhealth.tck;

/** A handle on one tool: the operations of {@link Subject} without the look-up by name. */
public interface Handle {

  /**
   * Does what {@link Subject#allowRequest} does for the tool.
   *
   * @return whether to make the call
   */
  boolean allowRequest();

  /**
   * Does what {@link Subject#recordSuccess} does for the tool.
   *
   * @param nanos how long the call took
   */
  void recordSuccess(long nanos);

  /**
   * Does what {@link Subject#recordFailure} does for the tool.
   *
   * @param nanos how long the call took
   */
  void recordFailure(long nanos);
}

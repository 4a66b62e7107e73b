package dev.toolhealth.tck.script;

/** What can be done to a tool on a clock that ticks. */
public enum Input {
  /** The gate is asked. */
  GATE,

  /** A success is recorded. */
  SUCCESS,

  /** A failure is recorded. */
  FAILURE,

  /** A nanosecond passes. */
  TICK;

  /** The only tool that there is. */
  static final String TOOL = "a";

  Step step() {
    return switch (this) {
      case GATE -> new Step.AllowRequest(TOOL);
      case SUCCESS -> new Step.RecordSuccess(TOOL, 1);
      case FAILURE -> new Step.RecordFailure(TOOL, 1);
      case TICK -> new Step.Advance(1);
    };
  }
}

package dev.toolhealth.tck.script;

/** The operations on a tool, and a clock tick: the inputs of a tool as a state machine. */
public enum Input {
  /** Ask the gate. */
  GATE,

  /** Record a success. */
  SUCCESS,

  /** Record a failure. */
  FAILURE,

  /** Let a nanosecond pass. */
  TICK;

  /** The name of the only tool. */
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

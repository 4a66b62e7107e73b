package dev.toolhealth.tck;

/** What a circuit breaker is doing. */
public enum CircuitState {
  /** Lets every call through. */
  CLOSED,
  /** Refuses every call until the cooldown has elapsed and somebody asks. */
  OPEN,
  /** Has a live probe out, and refuses every other call. */
  HALF_OPEN
}

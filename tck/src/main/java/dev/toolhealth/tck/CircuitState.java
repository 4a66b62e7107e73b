package dev.toolhealth.tck;

/** The state of a circuit breaker. */
public enum CircuitState {
  /** Every call is admitted. */
  CLOSED,
  /**
   * Every call is refused until the cooldown has elapsed (BRK-6). An elapsed cooldown alone does
   * not change the state: the next gate call does (BRK-7).
   */
  OPEN,
  /** A live probe is out, and every other call is refused (BRK-8). */
  HALF_OPEN
}

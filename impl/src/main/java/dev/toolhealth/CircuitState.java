package dev.toolhealth;

/** What a circuit breaker is doing. */
public enum CircuitState {
  /** Every call is let through (BRK-1). */
  CLOSED,

  /**
   * Every call is refused until the cooldown has elapsed; the next call after that is the probe
   * (BRK-6, BRK-7). A breaker whose cooldown has elapsed stays open until somebody asks the gate.
   */
  OPEN,

  /** One probe is out and its lease has not run out; every other call is refused (BRK-8). */
  HALF_OPEN
}

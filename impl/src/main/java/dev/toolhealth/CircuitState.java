package dev.toolhealth;

/** The state of a circuit breaker. */
public enum CircuitState {
  /** Every call is admitted (BRK-1). */
  CLOSED,

  /**
   * Every call is refused until the cooldown has elapsed. The first call after that is the probe
   * (BRK-6, BRK-7). Time alone changes nothing: the breaker stays open until the next gate call.
   */
  OPEN,

  /** One probe is running and its lease has not expired. Every other call is refused (BRK-8). */
  HALF_OPEN
}

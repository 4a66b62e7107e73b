package dev.toolhealth;

/**
 * A change of state of a tool's circuit breaker.
 *
 * @param tool the tool's name
 * @param cause why the state changed; each cause has one state before and one after
 * @param nanoTime when the change took effect, in nanoseconds on the registry's clock. An expired
 *     lease has the time of its end, even if it was noticed much later.
 */
public record Transition(String tool, Cause cause, long nanoTime) {

  /**
   * Returns the state before the change.
   *
   * @return the old state
   */
  public CircuitState from() {
    return cause.from;
  }

  /**
   * Returns the state after the change.
   *
   * @return the new state
   */
  public CircuitState to() {
    return cause.to;
  }

  /** The reason for a change of state. */
  public enum Cause {
    /** The consecutive failures reached the threshold (BRK-3). */
    TRIPPED(CircuitState.CLOSED, CircuitState.OPEN),
    /** The cooldown had elapsed, and the gate granted the probe (BRK-7). */
    PROBE_GRANTED(CircuitState.OPEN, CircuitState.HALF_OPEN),
    /** The live probe succeeded (BRK-9). */
    PROBE_SUCCEEDED(CircuitState.HALF_OPEN, CircuitState.CLOSED),
    /** The live probe failed (BRK-10). */
    PROBE_FAILED(CircuitState.HALF_OPEN, CircuitState.OPEN),
    /** The probe did not report before its lease ended (LEASE-1). */
    LEASE_EXPIRED(CircuitState.HALF_OPEN, CircuitState.OPEN),
    /** The live probe was cancelled (PERMIT-4). */
    PROBE_CANCELLED(CircuitState.HALF_OPEN, CircuitState.OPEN);

    private final CircuitState from;
    private final CircuitState to;

    Cause(CircuitState from, CircuitState to) {
      this.from = from;
      this.to = to;
    }
  }
}

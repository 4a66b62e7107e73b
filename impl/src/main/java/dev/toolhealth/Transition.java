package dev.toolhealth;

/**
 * A change of a tool's breaker from one state to another.
 *
 * @param tool the tool's name
 * @param cause why the state changed, which says from what to what
 * @param nanoTime when it took effect, on the registry's clock: for an expired lease that is its
 *     end, however much later somebody noticed
 */
public record Transition(String tool, Cause cause, long nanoTime) {

  /**
   * Says what the breaker was before.
   *
   * @return the state
   */
  public CircuitState from() {
    return cause.from;
  }

  /**
   * Says what the breaker is since then.
   *
   * @return the state
   */
  public CircuitState to() {
    return cause.to;
  }

  /** Why a breaker's state changes. */
  public enum Cause {
    /** A failure has brought the run to the threshold (BRK-3). */
    TRIPPED(CircuitState.CLOSED, CircuitState.OPEN),
    /** A gate call has been let through once the cooldown had elapsed (BRK-7). */
    PROBE_GRANTED(CircuitState.OPEN, CircuitState.HALF_OPEN),
    /** The live probe has succeeded (BRK-9). */
    PROBE_SUCCEEDED(CircuitState.HALF_OPEN, CircuitState.CLOSED),
    /** The live probe has failed (BRK-10). */
    PROBE_FAILED(CircuitState.HALF_OPEN, CircuitState.OPEN),
    /** The probe did not come back in time (LEASE-1). */
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

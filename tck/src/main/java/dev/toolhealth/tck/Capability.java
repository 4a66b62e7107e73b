package dev.toolhealth.tck;

/**
 * A feature that an implementation may offer beyond the gate and the recording of outcomes. An
 * adapter declares its features in {@link Adapter#capabilities}, and the kit skips the rules of all
 * others.
 */
public enum Capability {
  /** The registry reads no clock but the one passed to {@link Adapter#create}. */
  MANUAL_CLOCK,

  /** Callers can ask the gate without changing anything: {@link Subject#isToolAvailable}. */
  ORACLE,

  /** The state of a breaker is readable: {@link Subject#circuitState}. */
  CIRCUIT_STATE,

  /** The length of the failure run is readable: {@link Subject#consecutiveFailures}. */
  CONSECUTIVE_FAILURES,

  /** Outcomes and durations are counted: {@link Subject#statistics}. */
  STATISTICS,

  /**
   * Tools are scored: {@link Subject#ewma}, {@link Subject#score} and {@link Subject#healthStatus}.
   */
  SCORE,

  /**
   * The registry lists its tools: {@link Subject#toolCount} and, together with {@link #SCORE},
   * {@link Subject#healthSummary}.
   */
  SUMMARY,

  /** The configuration can change at run time: {@link Subject#configure}. */
  RECONFIGURATION,

  /** Refused tools can be replaced: {@link Subject#setFallbacks} and {@link Subject#route}. */
  ROUTING,

  /** A tool can be used without a look-up by name: {@link Subject#handle}. */
  HANDLES,

  /** Each result is tied to its own call: {@link Subject#tryAcquire}. */
  PERMITS,

  /**
   * Recording and asking never wait for another thread once the tool exists (REG-6, CONC-3). An
   * implementation in another process cannot claim this, because the kit cannot check it there.
   */
  LOCK_FREE
}

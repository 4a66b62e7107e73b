package dev.toolhealth.tck;

/** What an implementation may offer beyond asking the gate and recording outcomes. */
public enum Capability {
  /** Its only clock is the one handed to {@link Adapter#create}. */
  MANUAL_CLOCK,

  /** It answers without side effects: {@link Subject#isToolAvailable}. */
  ORACLE,

  /** It shows its breakers' states: {@link Subject#circuitState}. */
  CIRCUIT_STATE,

  /** It shows how many failures came in a row: {@link Subject#consecutiveFailures}. */
  CONSECUTIVE_FAILURES,

  /** It counts outcomes and durations: {@link Subject#statistics}. */
  STATISTICS,

  /** It judges tools: {@link Subject#ewma}, {@link Subject#score}, {@link Subject#healthStatus}. */
  SCORE,

  /** It knows its tools: {@link Subject#toolCount}, and, with {@link #SCORE}, the summary. */
  SUMMARY,

  /** It can be configured anew: {@link Subject#configure}. */
  RECONFIGURATION,

  /**
   * It routes around tools that are refused: {@link Subject#setFallbacks}, {@link Subject#route}.
   */
  ROUTING,

  /** It has handles on single tools: {@link Subject#handle}. */
  HANDLES,

  /** It ties results to the calls that they are of: {@link Subject#tryAcquire}. */
  PERMITS,

  /** Recording and asking never wait for another thread, once a tool's name is known. */
  LOCK_FREE
}

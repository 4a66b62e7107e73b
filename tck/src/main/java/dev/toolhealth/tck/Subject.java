package dev.toolhealth.tck;

import java.util.List;
import java.util.Map;

/**
 * One registry of the implementation under test. Its methods use only names, booleans, numbers and
 * small enums, so that any library, or a process in another language, can implement them.
 *
 * <p>The three abstract methods are the core. Every other method belongs to a {@link Capability}:
 * override it if {@link Adapter#capabilities} declares the capability, and ignore it otherwise.
 *
 * <p>Subjects are thread-safe: several threads may call any method at the same time.
 *
 * <p>A tool name may be any string, even empty, and is compared exactly (REG-1). Every method with
 * a name as an argument throws a {@link NullPointerException} for null, with a message that names
 * the argument (BAD-1). The kit passes null on purpose: pass it on to your library.
 *
 * <p>Reads create no tool. A read of an unknown name answers as for a new tool (REG-3).
 */
public interface Subject {

  /**
   * Asks the gate whether a call may be made now. If the answer makes this call the probe, the
   * breaker becomes HALF_OPEN (BRK-7). Creates an unknown tool (REG-2).
   *
   * @param tool the tool's name
   * @return true if the call may be made
   */
  boolean allowRequest(String tool);

  /**
   * Records that a call succeeded. Creates an unknown tool (REG-2).
   *
   * @param tool the tool's name
   * @param durationNanos the duration of the call in nanoseconds; negative values count as 0
   *     (STAT-6), and the kit passes some
   */
  void recordSuccess(String tool, long durationNanos);

  /**
   * Records that a call failed. Creates an unknown tool (REG-2).
   *
   * @param tool the tool's name
   * @param durationNanos the duration of the call in nanoseconds; negative values count as 0
   *     (STAT-6), and the kit passes some
   */
  void recordFailure(String tool, long durationNanos);

  /**
   * Returns what {@link #allowRequest} would answer now, without changing anything (ORACLE-1,
   * ORACLE-2). Needs {@link Capability#ORACLE}.
   *
   * @param tool the tool's name
   * @return true if a call would be admitted
   */
  default boolean isToolAvailable(String tool) {
    throw undeclared("isToolAvailable", Capability.ORACLE);
  }

  /**
   * Returns the current state of the tool's breaker. A probe whose lease has expired shows as OPEN
   * (LEASE-5). Needs {@link Capability#CIRCUIT_STATE}.
   *
   * @param tool the tool's name
   * @return the current state
   */
  default CircuitState circuitState(String tool) {
    throw undeclared("circuitState", Capability.CIRCUIT_STATE);
  }

  /**
   * Returns the number of failures since the last reset, counted in every state (BRK-2). Needs
   * {@link Capability#CONSECUTIVE_FAILURES}.
   *
   * @param tool the tool's name
   * @return the number of consecutive failures, 0 or more
   */
  default long consecutiveFailures(String tool) {
    throw undeclared("consecutiveFailures", Capability.CONSECUTIVE_FAILURES);
  }

  /**
   * Returns the tool's counters. Needs {@link Capability#STATISTICS}.
   *
   * @param tool the tool's name
   * @return the current counters
   */
  default Statistics statistics(String tool) {
    throw undeclared("statistics", Capability.STATISTICS);
  }

  /**
   * Returns the moving average of successes, scaled by 1 000 000 (SCORE-1, SCORE-2). Needs {@link
   * Capability#SCORE}.
   *
   * @param tool the tool's name
   * @return the average, 0 to 1 000 000
   */
  default long ewma(String tool) {
    throw undeclared("ewma", Capability.SCORE);
  }

  /**
   * Returns the tool's score (SCORE-3). Needs {@link Capability#SCORE}.
   *
   * @param tool the tool's name
   * @return the score, 0 to 1
   */
  default double score(String tool) {
    throw undeclared("score", Capability.SCORE);
  }

  /**
   * Returns the tool's status (SCORE-4, SCORE-5). Needs {@link Capability#SCORE}.
   *
   * @param tool the tool's name
   * @return the current status
   */
  default HealthStatus healthStatus(String tool) {
    throw undeclared("healthStatus", Capability.SCORE);
  }

  /**
   * Returns the number of tools in the registry (REG-2, REG-3). Needs {@link Capability#SUMMARY}.
   *
   * @return the number of tools, 0 or more
   */
  default long toolCount() {
    throw undeclared("toolCount", Capability.SUMMARY);
  }

  /**
   * Returns the status and score of every tool in the registry (REG-5). Needs both {@link
   * Capability#SUMMARY} and {@link Capability#SCORE}.
   *
   * @return an entry for each tool, by name
   */
  default Map<String, SummaryEntry> healthSummary() {
    throw undeclared("healthSummary", Capability.SUMMARY);
  }

  /**
   * Sets the configuration of breakers that are created from now on. Existing breakers keep theirs
   * (REG-4). Needs {@link Capability#RECONFIGURATION}.
   *
   * @param config the configuration
   * @throws IllegalArgumentException if a value is negative, as in {@link Adapter#create}; nothing
   *     has changed then (BAD-1)
   */
  default void configure(Config config) {
    throw undeclared("configure", Capability.RECONFIGURATION);
  }

  /**
   * Sets the fallbacks of a tool and replaces earlier ones (ROUTE-5). Creates no tool. Needs {@link
   * Capability#ROUTING}.
   *
   * @param primary the tool's name
   * @param fallbacks the names of the fallbacks, preferred first; may be empty
   * @throws NullPointerException if an argument or a fallback is null; the message names the
   *     argument, and nothing has changed (BAD-1)
   */
  default void setFallbacks(String primary, List<String> fallbacks) {
    throw undeclared("setFallbacks", Capability.ROUTING);
  }

  /**
   * Returns the tool to call: the primary or one of its fallbacks (ROUTE-1 to ROUTE-4). Only reads,
   * and takes no probe (ROUTE-5). Needs {@link Capability#ROUTING}.
   *
   * @param primary the tool's name
   * @return the name of the tool to call
   */
  default String route(String primary) {
    throw undeclared("route", Capability.ROUTING);
  }

  /**
   * Returns a handle on the tool. Creates an unknown tool (REG-2). Needs {@link
   * Capability#HANDLES}.
   *
   * @param tool the tool's name
   * @return a handle on the tool
   */
  default Handle handle(String tool) {
    throw undeclared("handle", Capability.HANDLES);
  }

  /**
   * Asks the gate like {@link #allowRequest} and returns a permit that ties the call's result to
   * the decision (PERMIT-1). Creates an unknown tool (REG-2). Needs {@link Capability#PERMITS}.
   *
   * @param tool the tool's name
   * @return the permit, granted or refused
   */
  default Permit tryAcquire(String tool) {
    throw undeclared("tryAcquire", Capability.PERMITS);
  }

  private static UnsupportedOperationException undeclared(String method, Capability capability) {
    return new UnsupportedOperationException(
        "Subject."
            + method
            + " is not implemented: override it, or remove "
            + capability
            + " from Adapter.capabilities()");
  }
}

package dev.toolhealth.tck;

import java.util.List;
import java.util.Map;

/**
 * One registry of the implementation under judgement. It speaks only of names, truth values,
 * numbers and small enums, so that anything can stand behind it.
 *
 * <p>The first three methods are the core. Each other one belongs to a {@link Capability}; override
 * it if {@link Adapter#capabilities} declares that, and leave it alone if not. The kit passes null
 * for a name or for fallbacks to see it refused (BAD-1): hand it on.
 *
 * <p>An operation may be called by several threads at once.
 */
public interface Subject {

  /**
   * Asks the gate for one call, and takes the probe if this call is it.
   *
   * @param tool the tool's name
   * @return whether to make the call
   */
  boolean allowRequest(String tool);

  /**
   * Records that a call succeeded.
   *
   * @param tool the tool's name
   * @param nanos how long the call took; the kit passes negative numbers too (STAT-6)
   */
  void recordSuccess(String tool, long nanos);

  /**
   * Records that a call failed.
   *
   * @param tool the tool's name
   * @param nanos how long the call took; the kit passes negative numbers too (STAT-6)
   */
  void recordFailure(String tool, long nanos);

  /**
   * Says what the gate would answer now. {@link Capability#ORACLE}
   *
   * @param tool the tool's name
   * @return whether a call would be let through
   */
  default boolean isToolAvailable(String tool) {
    throw undeclared("isToolAvailable", Capability.ORACLE);
  }

  /**
   * Says what the tool's breaker is doing. {@link Capability#CIRCUIT_STATE}
   *
   * @param tool the tool's name
   * @return the state now
   */
  default CircuitState circuitState(String tool) {
    throw undeclared("circuitState", Capability.CIRCUIT_STATE);
  }

  /**
   * Says how many failures the breaker has counted in a row. {@link
   * Capability#CONSECUTIVE_FAILURES}
   *
   * @param tool the tool's name
   * @return the number, 0 or more
   */
  default long consecutiveFailures(String tool) {
    throw undeclared("consecutiveFailures", Capability.CONSECUTIVE_FAILURES);
  }

  /**
   * Gives the tool's counters. {@link Capability#STATISTICS}
   *
   * @param tool the tool's name
   * @return the counters now
   */
  default Statistics statistics(String tool) {
    throw undeclared("statistics", Capability.STATISTICS);
  }

  /**
   * Gives the moving average of success. {@link Capability#SCORE}
   *
   * @param tool the tool's name
   * @return 0 to 1 000 000
   */
  default long ewma(String tool) {
    throw undeclared("ewma", Capability.SCORE);
  }

  /**
   * Gives the tool's score. {@link Capability#SCORE}
   *
   * @param tool the tool's name
   * @return 0 to 1
   */
  default double score(String tool) {
    throw undeclared("score", Capability.SCORE);
  }

  /**
   * Gives the tool's status. {@link Capability#SCORE}
   *
   * @param tool the tool's name
   * @return the status now
   */
  default HealthStatus healthStatus(String tool) {
    throw undeclared("healthStatus", Capability.SCORE);
  }

  /**
   * Counts the tools that have come into being. {@link Capability#SUMMARY}
   *
   * @return how many there are
   */
  default long toolCount() {
    throw undeclared("toolCount", Capability.SUMMARY);
  }

  /**
   * Says how all tools have been doing. {@link Capability#SUMMARY} and {@link Capability#SCORE}
   *
   * @return an entry for every tool that has come into being, by name
   */
  default Map<String, SummaryEntry> healthSummary() {
    throw undeclared("healthSummary", Capability.SUMMARY);
  }

  /**
   * Sets the configuration of breakers created from now on. {@link Capability#RECONFIGURATION}
   *
   * @param config the configuration; refused as {@link Adapter#create} refuses it
   */
  default void configure(Config config) {
    throw undeclared("configure", Capability.RECONFIGURATION);
  }

  /**
   * Sets the substitutes of a tool, in place of any set before. {@link Capability#ROUTING}
   *
   * @param primary the tool's name
   * @param fallbacks the substitutes' names, the preferred one first
   */
  default void setFallbacks(String primary, List<String> fallbacks) {
    throw undeclared("setFallbacks", Capability.ROUTING);
  }

  /**
   * Chooses between a tool and its substitutes. {@link Capability#ROUTING}
   *
   * @param primary the tool's name
   * @return the name of the tool to call
   */
  default String route(String primary) {
    throw undeclared("route", Capability.ROUTING);
  }

  /**
   * Gives a handle on the tool, which comes into being if it was not there. {@link
   * Capability#HANDLES}
   *
   * @param tool the tool's name
   * @return the handle
   */
  default Handle handle(String tool) {
    throw undeclared("handle", Capability.HANDLES);
  }

  /**
   * Asks the gate for one call as {@link #allowRequest} does, and for a permit that ties the call's
   * result to the answer. {@link Capability#PERMITS}
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
            + " is not overridden: override it, or take "
            + capability
            + " out of Adapter.capabilities()");
  }
}

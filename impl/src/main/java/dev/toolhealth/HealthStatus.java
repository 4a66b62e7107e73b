package dev.toolhealth;

/** A tool's health in one word, derived from score and breaker (SCORE-4, SCORE-5). */
public enum HealthStatus {
  /** The score is at least 0.8. */
  HEALTHY,

  /** The score is at least 0.5 and below 0.8. */
  DEGRADED,

  /** The score is below 0.5, or the circuit breaker is open. */
  UNHEALTHY
}

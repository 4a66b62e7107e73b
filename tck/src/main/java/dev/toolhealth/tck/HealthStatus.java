package dev.toolhealth.tck;

/** The classification of a tool by its score and its breaker (SCORE-4, SCORE-5). */
public enum HealthStatus {
  /** The score is at least 0.8. */
  HEALTHY,
  /** The score is at least 0.5 and below 0.8. */
  DEGRADED,
  /** The score is below 0.5, or the breaker is open. */
  UNHEALTHY
}

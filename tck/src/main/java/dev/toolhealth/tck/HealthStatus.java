package dev.toolhealth.tck;

/** How a tool has been doing. */
public enum HealthStatus {
  /** The score is at least 0.8. */
  HEALTHY,
  /** The score is at least 0.5. */
  DEGRADED,
  /** The score is below 0.5, or the breaker is open. */
  UNHEALTHY
}

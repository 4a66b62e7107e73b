package dev.toolhealth;

import java.time.Duration;
import java.util.Objects;

/**
 * The configuration of a circuit breaker: when it trips and how it recovers. Immutable. Each {@code
 * with} method returns a changed copy:
 *
 * <pre>{@code
 * CircuitBreakerConfig.ofDefaults()
 *     .withFailureThreshold(5)
 *     .withRecoveryDuration(Duration.ofMinutes(1));
 * }</pre>
 *
 * <p>Durations are cut to at most 2<sup>63</sup> - 1 nanoseconds (292 years), which means for ever.
 */
public final class CircuitBreakerConfig {
  private static final long DEFAULT_NANOS = Duration.ofSeconds(30).toNanos();
  private static final CircuitBreakerConfig DEFAULTS =
      new CircuitBreakerConfig(3, DEFAULT_NANOS, DEFAULT_NANOS);

  private final int failureThreshold;
  private final long recoveryNanos;
  private final long probeTimeoutNanos;

  private CircuitBreakerConfig(int failureThreshold, long recoveryNanos, long probeTimeoutNanos) {
    this.failureThreshold = failureThreshold;
    this.recoveryNanos = recoveryNanos;
    this.probeTimeoutNanos = probeTimeoutNanos;
  }

  /**
   * Returns the defaults: a failure threshold of 3, a recovery duration of 30 seconds and a probe
   * timeout of 30 seconds.
   *
   * @return the default configuration
   */
  public static CircuitBreakerConfig ofDefaults() {
    return DEFAULTS;
  }

  /**
   * Returns a copy with another failure threshold.
   *
   * @param failureThreshold the breaker trips after this many consecutive failures (BRK-3); with 0,
   *     the breaker never trips (BRK-5)
   * @return the copy
   * @throws IllegalArgumentException if {@code failureThreshold} is negative (BAD-1)
   */
  public CircuitBreakerConfig withFailureThreshold(int failureThreshold) {
    if (failureThreshold < 0) {
      throw new IllegalArgumentException(
          "failureThreshold is %d but must be 0 (the breaker never trips) or more"
              .formatted(failureThreshold));
    }
    return new CircuitBreakerConfig(failureThreshold, recoveryNanos, probeTimeoutNanos);
  }

  /**
   * Returns a copy with another recovery duration.
   *
   * @param recoveryDuration the cooldown: an open breaker refuses every call for this long before
   *     granting a probe (BRK-6); with zero, the breaker grants the probe at once (BRK-11)
   * @return the copy
   * @throws IllegalArgumentException if {@code recoveryDuration} is negative (BAD-1)
   */
  public CircuitBreakerConfig withRecoveryDuration(Duration recoveryDuration) {
    long nanos = notNegative(recoveryDuration, "recoveryDuration", "probe at once");
    return new CircuitBreakerConfig(failureThreshold, nanos, probeTimeoutNanos);
  }

  /**
   * Returns a copy with another probe timeout.
   *
   * @param probeTimeout the probe's lease: after this time without a report, the probe counts as
   *     lost and the breaker is open again (LEASE-1); with zero there is no lease, and the breaker
   *     waits for the probe's result for ever (LEASE-4)
   * @return the copy
   * @throws IllegalArgumentException if {@code probeTimeout} is negative (BAD-1)
   */
  public CircuitBreakerConfig withProbeTimeout(Duration probeTimeout) {
    long nanos = notNegative(probeTimeout, "probeTimeout", "no lease");
    return new CircuitBreakerConfig(failureThreshold, recoveryNanos, nanos);
  }

  /**
   * Returns how many consecutive failures trip the breaker.
   *
   * @return the threshold, 0 for never
   */
  public int failureThreshold() {
    return failureThreshold;
  }

  /**
   * Returns how long an open breaker refuses every call.
   *
   * @return the cooldown
   */
  public Duration recoveryDuration() {
    return Duration.ofNanos(recoveryNanos);
  }

  /**
   * Returns how long a probe has to report.
   *
   * @return the lease, zero for none
   */
  public Duration probeTimeout() {
    return Duration.ofNanos(probeTimeoutNanos);
  }

  long recoveryNanos() {
    return recoveryNanos;
  }

  long probeTimeoutNanos() {
    return probeTimeoutNanos;
  }

  /** Returns whether probes have a lease (LEASE-4). */
  boolean leasesProbes() {
    return probeTimeoutNanos != 0;
  }

  /** Returns true if the consecutive failures trip a closed breaker (BRK-3, BRK-5). */
  boolean trips(long consecutiveFailures) {
    return failureThreshold != 0 && consecutiveFailures >= failureThreshold;
  }

  private static long notNegative(Duration value, String name, String zeroMeans) {
    Objects.requireNonNull(value, name);
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          name + " is " + value + " but must be zero (" + zeroMeans + ") or longer");
    }
    return Nanos.saturated(value, name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CircuitBreakerConfig that
        && failureThreshold == that.failureThreshold
        && recoveryNanos == that.recoveryNanos
        && probeTimeoutNanos == that.probeTimeoutNanos;
  }

  @Override
  public int hashCode() {
    return Objects.hash(failureThreshold, recoveryNanos, probeTimeoutNanos);
  }

  @Override
  public String toString() {
    return "CircuitBreakerConfig[failureThreshold=%d, recoveryDuration=%s, probeTimeout=%s]"
        .formatted(failureThreshold, recoveryDuration(), probeTimeout());
  }
}

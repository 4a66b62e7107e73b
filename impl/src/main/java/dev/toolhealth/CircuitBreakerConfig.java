package dev.toolhealth;

import java.time.Duration;
import java.util.Objects;

/**
 * When a circuit breaker trips and how it recovers. Immutable; change it by copying:
 *
 * <pre>{@code
 * CircuitBreakerConfig.defaults().withFailureThreshold(5).withRecoveryDuration(Duration.ofMinutes(1))
 * }</pre>
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
   * Trips at 3 consecutive failures, recovers after 30 seconds, gives a probe 30 seconds.
   *
   * @return the default configuration
   */
  public static CircuitBreakerConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Copies this configuration with another failure threshold.
   *
   * @param failureThreshold how many consecutive failures trip the breaker (BRK-3); 0 for never
   *     (BRK-5)
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
   * Copies this configuration with another recovery duration.
   *
   * @param recoveryDuration the cooldown: how long an open breaker refuses every call before it
   *     grants a probe (BRK-6); zero to grant it at once (BRK-11)
   * @return the copy
   * @throws IllegalArgumentException if {@code recoveryDuration} is negative (BAD-1)
   */
  public CircuitBreakerConfig withRecoveryDuration(Duration recoveryDuration) {
    long nanos = notNegative(recoveryDuration, "recoveryDuration", "probe at once");
    return new CircuitBreakerConfig(failureThreshold, nanos, probeTimeoutNanos);
  }

  /**
   * Copies this configuration with another probe timeout.
   *
   * @param probeTimeout the probe's lease: how long a probe may take before it is given up and the
   *     breaker counts as open again (LEASE-1); zero to wait for its result for ever (LEASE-4)
   * @return the copy
   * @throws IllegalArgumentException if {@code probeTimeout} is negative (BAD-1)
   */
  public CircuitBreakerConfig withProbeTimeout(Duration probeTimeout) {
    long nanos = notNegative(probeTimeout, "probeTimeout", "no lease");
    return new CircuitBreakerConfig(failureThreshold, recoveryNanos, nanos);
  }

  /**
   * Says how many consecutive failures trip the breaker.
   *
   * @return the threshold, 0 for never
   */
  public int failureThreshold() {
    return failureThreshold;
  }

  /**
   * Says how long an open breaker refuses every call.
   *
   * @return the cooldown; one of 2<sup>63</sup> - 1 nanoseconds stands for every longer one too
   */
  public Duration recoveryDuration() {
    return Duration.ofNanos(recoveryNanos);
  }

  /**
   * Says how long a probe may take.
   *
   * @return the lease, zero for no limit; one of 2<sup>63</sup> - 1 nanoseconds stands for every
   *     longer one too
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

  /** Whether probes have a lease at all (LEASE-4). */
  boolean leasesProbes() {
    return probeTimeoutNanos != 0;
  }

  /** Whether a run of so many failures trips a closed breaker (BRK-3, BRK-5). */
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

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
  private static final CircuitBreakerConfig DEFAULTS =
      new CircuitBreakerConfig(3, Duration.ofSeconds(30), Duration.ofSeconds(30));

  private final int failureThreshold;
  private final Duration recoveryDuration;
  private final Duration probeTimeout;

  // The same two durations again, converted once: refusing a call must not cost two divisions.
  private final long recoveryNanos;
  private final long probeTimeoutNanos;

  private CircuitBreakerConfig(
      int failureThreshold, Duration recoveryDuration, Duration probeTimeout) {
    this.failureThreshold = failureThreshold;
    this.recoveryDuration = recoveryDuration;
    this.probeTimeout = probeTimeout;
    this.recoveryNanos = Nanos.saturated(recoveryDuration, "recoveryDuration");
    this.probeTimeoutNanos = Nanos.saturated(probeTimeout, "probeTimeout");
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
          "failureThreshold is "
              + failureThreshold
              + " but must be 0 (the breaker never trips) or more");
    }
    return new CircuitBreakerConfig(failureThreshold, recoveryDuration, probeTimeout);
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
    requireNotNegative(recoveryDuration, "recoveryDuration", "probe at once");
    return new CircuitBreakerConfig(failureThreshold, recoveryDuration, probeTimeout);
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
    requireNotNegative(probeTimeout, "probeTimeout", "no lease");
    return new CircuitBreakerConfig(failureThreshold, recoveryDuration, probeTimeout);
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
   * @return the cooldown
   */
  public Duration recoveryDuration() {
    return recoveryDuration;
  }

  /**
   * Says how long a probe may take.
   *
   * @return the lease, zero for no limit
   */
  public Duration probeTimeout() {
    return probeTimeout;
  }

  /** The cooldown; {@link Long#MAX_VALUE} stands for every longer one too. */
  long recoveryNanos() {
    return recoveryNanos;
  }

  /** The lease, 0 for none; {@link Long#MAX_VALUE} stands for every longer one too. */
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

  private static void requireNotNegative(Duration value, String name, String zeroMeans) {
    Objects.requireNonNull(value, name);
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          name + " is " + value + " but must be zero (" + zeroMeans + ") or longer");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CircuitBreakerConfig that
        && failureThreshold == that.failureThreshold
        && recoveryDuration.equals(that.recoveryDuration)
        && probeTimeout.equals(that.probeTimeout);
  }

  @Override
  public int hashCode() {
    return Objects.hash(failureThreshold, recoveryDuration, probeTimeout);
  }

  @Override
  public String toString() {
    return "CircuitBreakerConfig[failureThreshold=%d, recoveryDuration=%s, probeTimeout=%s]"
        .formatted(failureThreshold, recoveryDuration, probeTimeout);
  }
}

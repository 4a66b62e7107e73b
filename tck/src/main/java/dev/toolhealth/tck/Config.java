package dev.toolhealth.tck;

import java.util.concurrent.TimeUnit;

/**
 * The configuration of a breaker. The record accepts any values: the kit also creates
 * configurations with negative values, to check that implementations refuse them (BAD-1).
 *
 * @param failureThreshold the number of consecutive failures that trips the breaker; 0 disables
 *     tripping (BRK-5)
 * @param recoveryNanos the cooldown in nanoseconds; 0 allows a probe at once (BRK-11), and {@link
 *     Long#MAX_VALUE} never does
 * @param probeTimeoutNanos the probe's lease in nanoseconds; 0 disables the lease (LEASE-4)
 */
public record Config(int failureThreshold, long recoveryNanos, long probeTimeoutNanos) {

  /** The defaults of the specification: 3 failures, 30 seconds, 30 seconds. */
  public static final Config DEFAULT =
      new Config(3, TimeUnit.SECONDS.toNanos(30), TimeUnit.SECONDS.toNanos(30));
}

package dev.toolhealth.tck;

import java.util.concurrent.TimeUnit;

/**
 * The configuration of a breaker. The kit also makes some with negative numbers, to see them
 * refused.
 *
 * @param failureThreshold how many consecutive failures trip the breaker, 0 for never
 * @param recoveryNanos the cooldown in nanoseconds; {@link Long#MAX_VALUE} for ever
 * @param probeTimeoutNanos the probe's lease in nanoseconds, 0 for none
 */
public record Config(int failureThreshold, long recoveryNanos, long probeTimeoutNanos) {

  /** The defaults of the specification: 3 failures, 30 seconds, 30 seconds. */
  public static final Config DEFAULT =
      new Config(3, TimeUnit.SECONDS.toNanos(30), TimeUnit.SECONDS.toNanos(30));
}

package dev.toolhealth;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Durations as nanoseconds, at the edges of the range too. */
final class Nanos {
  private Nanos() {}

  /**
   * The duration's nanoseconds, zero for a negative duration and the largest value for one beyond
   * the range (STAT-6).
   */
  static long saturated(Duration duration, String name) {
    return Math.max(0, TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(duration, name)));
  }

  /** The sum of two terms whose true sum is not negative, or the largest value if it is beyond. */
  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}

package dev.toolhealth;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Conversion and arithmetic of nanoseconds at the edges of their range. */
final class Nanos {
  private Nanos() {}

  /**
   * Returns the duration in nanoseconds: zero for a negative duration, the largest value for a
   * duration beyond the range (STAT-6).
   */
  static long saturated(Duration duration, String name) {
    return Math.max(0, TimeUnit.NANOSECONDS.convert(Objects.requireNonNull(duration, name)));
  }

  /** Returns the sum of two terms whose true sum is not negative, capped at the largest value. */
  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}

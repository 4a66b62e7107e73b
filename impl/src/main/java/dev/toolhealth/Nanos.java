package dev.toolhealth;

import java.time.Duration;
import java.util.Objects;

/** Durations as nanoseconds, at the edges of the range too. */
final class Nanos {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private Nanos() {}

  /**
   * The duration's nanoseconds, zero for a negative duration and the largest value for one beyond
   * the range (STAT-6).
   */
  static long saturated(Duration duration, String name) {
    Objects.requireNonNull(duration, name);
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : duration.toNanos();
  }

  /** The sum of two terms whose true sum is not negative, or the largest value if it is beyond. */
  static long saturatedSum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}

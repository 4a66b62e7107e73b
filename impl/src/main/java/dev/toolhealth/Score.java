package dev.toolhealth;

/** The exact integer arithmetic behind the score and the status. */
final class Score {
  /** The EWMA of a tool without failures, which means 1.0 (SCORE-1). */
  static final int ONE = 1_000_000;

  private Score() {}

  /** Returns the EWMA after one more outcome (SCORE-2). The result stays in 0..{@link #ONE}. */
  static int nextEwma(int ewma, boolean success) {
    return (7 * ewma + (success ? 3 * ONE : 0)) / 10;
  }

  /** Returns the EWMA after successes in a row. After a few dozen, nothing changes. */
  static int afterSuccesses(int ewma, long successes) {
    int current = ewma;
    for (long left = successes; left > 0; left--) {
      int next = nextEwma(current, true);
      if (next == current) {
        break;
      }
      current = next;
    }
    return current;
  }

  /** Returns the success rate (STAT-2). */
  static double rate(long successes, long total) {
    return total == 0 ? 1.0 : (double) successes / total;
  }

  /** Returns the score (SCORE-3). The division comes last, so a perfect tool has exactly 1. */
  static double of(long successes, long total, int ewma) {
    return (3 * rate(successes, total) + 7.0 * ewma / ONE) / 10;
  }

  /** Returns the status. No rounding moves a tool across a bound (SCORE-4, SCORE-5). */
  static HealthStatus status(long successes, long total, int ewma, CircuitState state) {
    if (state == CircuitState.OPEN) {
      return HealthStatus.UNHEALTHY;
    }
    if (total == 0) {
      return status(1, 1, ewma, state); // the rate of no outcomes is 1 (STAT-2)
    }
    if (isAtLeast(8 * ONE, successes, total, ewma)) {
      return HealthStatus.HEALTHY;
    }
    return isAtLeast(5 * ONE, successes, total, ewma)
        ? HealthStatus.DEGRADED
        : HealthStatus.UNHEALTHY;
  }

  /** Returns whether 3·ONE·successes + 7·ewma·total is at least tenths·total. */
  private static boolean isAtLeast(int tenths, long successes, long total, int ewma) {
    return compareProducts(3 * ONE, successes, tenths - 7 * ewma, total) >= 0;
  }

  /** Compares a·b with c·d exactly, in 128 bits. Only the upper 64 bits have a sign. */
  private static int compareProducts(long a, long b, long c, long d) {
    int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
    return high != 0 ? high : Long.compareUnsigned(a * b, c * d);
  }
}

package dev.toolhealth;

/**
 * A short wait after a lost race. Every failure writes to cache lines that all other threads read.
 * When several threads fail at once, a loser that waits for the winner costs less in total than a
 * cache line that moves back and forth between both.
 */
final class Backoff {
  private static final int FEWEST_SPINS = 512;
  private static final int MAX_DOUBLINGS = 3;

  private Backoff() {}

  /** Waits for some microseconds, longer with each race the caller has lost. */
  static void afterLoss(int losses) {
    int spins = FEWEST_SPINS << Math.min(losses - 1, MAX_DOUBLINGS);
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
  }
}

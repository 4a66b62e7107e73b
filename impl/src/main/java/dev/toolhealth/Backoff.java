package dev.toolhealth;

/**
 * Gets out of the way of whoever has won a race. A failure has to touch what every other thread
 * looks at, and a cache line that goes back and forth costs them all more than it costs one of them
 * to wait until the other is through.
 */
final class Backoff {
  private static final int SHORTEST = 512;
  private static final int MOST_DOUBLINGS = 3;

  private Backoff() {}

  /** Waits, longer with each race that was lost. It is a matter of microseconds. */
  static void afterLoss(int losses) {
    int spins = SHORTEST << Math.min(losses - 1, MOST_DOUBLINGS);
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
  }
}

package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The statistics and the EWMA of one tool. */
@SuppressWarnings("UnusedVariable") // the fields are reached through their VarHandles
final class ToolStats {
  private static final VarHandle TALLY = Fields.of(MethodHandles.lookup(), "tally", Tally.class);
  private static final VarHandle MAX = Fields.of(MethodHandles.lookup(), "max", long.class);

  private volatile Tally tally = new Tally();

  /*
   * Hints, which need no care: every thread may see an old one. Words that have been left are
   * closed, and whoever finds them so asks for the tally. Any way to deal threads out will do.
   */
  private long[] words = tally.words;
  private int deal = 0x9E3779B1;

  private volatile long max;

  void recordSuccess(long nanos) {
    record(Tally.SUCCESS, Math.max(nanos, 0));
  }

  void recordFailure(long nanos) {
    record(Tally.FAILURE, Math.max(nanos, 0));
    for (Tally current = tally(); !current.markFailure(); current = tally()) {
      TALLY.compareAndSet(this, current, current.next(0, 0));
    }
  }

  private void record(long outcome, long nanos) {
    // Before it is counted: what a reader counts is no longer than the maximum that it sees then.
    long highest = max();
    while (nanos > highest && !MAX.compareAndSet(this, highest, nanos)) {
      highest = max();
    }
    long[] words = this.words;
    int mine = Tally.mine(words, deal);
    long word = Tally.word(words, mine);
    long next = Tally.plus(word, outcome, nanos);
    if (next < 0 || !Tally.compareAndSet(words, mine, word, next)) {
      recordWithEffort(outcome, nanos, next >= 0);
    }
  }

  /** As {@link #record}, once that has found no room or has run into another caller. */
  private void recordWithEffort(long outcome, long nanos, boolean hasCollided) {
    boolean collided = hasCollided;
    for (; ; ) {
      if (collided) {
        spread();
      }
      Tally current = tally();
      words = current.words;
      int mine = Tally.mine(current.words, deal);
      long word = Tally.word(current.words, mine);
      long next = Tally.plus(word, outcome, nanos);
      collided = next >= 0;
      if (collided
          ? Tally.compareAndSet(current.words, mine, word, next)
          : TALLY.compareAndSet(this, current, current.next(outcome, nanos))) {
        return;
      }
    }
  }

  /** Gets callers out of each other's way: by more words or, where there are enough, by dealing. */
  private void spread() {
    Tally current = tally();
    if (current.isWidest()) {
      deal *= 0x85EBCA6B;
    } else {
      TALLY.compareAndSet(this, current, current.wider());
    }
  }

  long successes() {
    return tally().successes();
  }

  long failures() {
    return tally().failures();
  }

  long durationSum() {
    return tally().nanos();
  }

  long maxDuration() {
    return max();
  }

  int ewma() {
    return tally().ewma();
  }

  private Tally tally() {
    return (Tally) TALLY.getAcquire(this);
  }

  private long max() {
    return (long) MAX.getAcquire(this);
  }
}

package dev.toolhealth;

import dev.toolhealth.Tally.Attempt;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The statistics and the EWMA of one tool. */
@SuppressWarnings("UnusedVariable") // the volatile fields are accessed through their VarHandles
final class ToolStats {
  private static final VarHandle TALLY = Fields.of(MethodHandles.lookup(), "tally", Tally.class);
  private static final VarHandle MAX = Fields.of(MethodHandles.lookup(), "max", long.class);

  private volatile Tally tally = new Tally();

  /** A hint without synchronization: any distribution of threads over the stripes is correct. */
  private int stripeSeed = 0x9E3779B1;

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
    // The maximum comes first: a reader who counts this outcome also sees a maximum that covers it.
    long highest = max();
    while (nanos > highest && !MAX.compareAndSet(this, highest, nanos)) {
      highest = max();
    }
    Attempt attempt = tally().tryAdd(outcome, nanos, stripeSeed);
    if (attempt != Attempt.ADDED) {
      recordSlowly(outcome, nanos, attempt);
    }
  }

  /** Records an outcome whose first attempt found a full tally or met another caller. */
  private void recordSlowly(long outcome, long nanos, Attempt failed) {
    Attempt attempt = failed;
    for (; ; ) {
      if (attempt == Attempt.COLLIDED) {
        spreadCallers();
      }
      Tally current = tally();
      attempt = current.tryAdd(outcome, nanos, stripeSeed);
      if (attempt == Attempt.ADDED
          || (attempt == Attempt.FULL
              && TALLY.compareAndSet(this, current, current.next(outcome, nanos)))) {
        return;
      }
    }
  }

  /** Gives callers more stripes or, at the largest number of stripes, other stripes. */
  private void spreadCallers() {
    Tally current = tally();
    if (current.isWidest()) {
      stripeSeed *= 0x85EBCA6B;
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

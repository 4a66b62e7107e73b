package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The counters of one tool. */
@SuppressWarnings("UnusedVariable") // the fields are reached through their VarHandles
final class ToolStats {
  /*
   * Five words, each exact on its own: an outcome is added to each by one atomic step, and nothing
   * is ever lost or counted twice (CONC-2). They are not a snapshot of one instant together; a
   * reader during writes may see an outcome in one of them and not yet in another.
   *
   * A steady healthy call writes two of them, the count and the sum. The maximum is written only
   * when it is beaten, the EWMA only when it moves, and an EWMA that a success leaves where it is
   * has no need to move: that call takes its place in the order of outcomes at its read.
   *
   * Nothing is published through these words, so no mode is needed that orders other memory. What
   * is needed is atomicity, and that a read is never older than one before it. The breaker's state,
   * swapped after them and read before them, carries the one promise that spans two variables.
   */

  private static final VarHandle SUCCESSES;
  private static final VarHandle FAILURES;
  private static final VarHandle DURATION_SUM;
  private static final VarHandle MAX_DURATION;
  private static final VarHandle EWMA;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      SUCCESSES = lookup.findVarHandle(ToolStats.class, "successes", long.class);
      FAILURES = lookup.findVarHandle(ToolStats.class, "failures", long.class);
      DURATION_SUM = lookup.findVarHandle(ToolStats.class, "durationSum", long.class);
      MAX_DURATION = lookup.findVarHandle(ToolStats.class, "maxDuration", long.class);
      EWMA = lookup.findVarHandle(ToolStats.class, "ewma", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long successes;
  private volatile long failures;
  private volatile long durationSum;
  private volatile long maxDuration;
  private volatile int ewma = Score.ONE;

  /** Counts a success that took {@code nanos}; a negative duration counts as zero (STAT-6). */
  void recordSuccess(long nanos) {
    SUCCESSES.getAndAddRelease(this, 1L);
    recordDuration(Math.max(nanos, 0));
    recordSample(true);
  }

  /** Counts a failure that took {@code nanos}; a negative duration counts as zero (STAT-6). */
  void recordFailure(long nanos) {
    FAILURES.getAndAddRelease(this, 1L);
    recordDuration(Math.max(nanos, 0));
    recordSample(false);
  }

  private void recordDuration(long nanos) {
    // A swap, not an add: an add would show readers a wrapped sum before it could be mended
    // (STAT-3).
    long sum = durationSumOpaque();
    while (!weakCompareAndSetDurationSumRelease(sum, Nanos.saturatedSum(sum, nanos))) {
      sum = durationSumOpaque();
    }
    long max = maxDurationOpaque();
    while (nanos > max && !weakCompareAndSetMaxDurationRelease(max, nanos)) {
      max = maxDurationOpaque();
    }
  }

  private void recordSample(boolean success) {
    for (; ; ) {
      int current = ewmaOpaque();
      int next = Score.nextEwma(current, success);
      if (next == current || weakCompareAndSetEwmaRelease(current, next)) {
        return;
      }
    }
  }

  // Opaque: a plain read could be hoisted out of a caller's loop and never change again.

  long successesOpaque() {
    return (long) SUCCESSES.getOpaque(this);
  }

  long failuresOpaque() {
    return (long) FAILURES.getOpaque(this);
  }

  long durationSumOpaque() {
    return (long) DURATION_SUM.getOpaque(this);
  }

  long maxDurationOpaque() {
    return (long) MAX_DURATION.getOpaque(this);
  }

  int ewmaOpaque() {
    return (int) EWMA.getOpaque(this);
  }

  // Weak: the loops above retry a spurious failure like any other. Release: the weakest swap whose
  // write is at least opaque, so that the reads above never go back in time.

  private boolean weakCompareAndSetDurationSumRelease(long expected, long next) {
    return DURATION_SUM.weakCompareAndSetRelease(this, expected, next);
  }

  private boolean weakCompareAndSetMaxDurationRelease(long expected, long next) {
    return MAX_DURATION.weakCompareAndSetRelease(this, expected, next);
  }

  private boolean weakCompareAndSetEwmaRelease(int expected, int next) {
    return EWMA.weakCompareAndSetRelease(this, expected, next);
  }
}

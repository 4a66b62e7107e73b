package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free tally of outcomes: how many there were, how long they took, and the EWMA of success.
 * One compare-and-set records a success. A failure needs a second one for the EWMA.
 *
 * <p>A tally fills up. It is then closed, and a successor takes its place and starts from its
 * totals. The same happens when callers get into each other's way: the successor then spreads them
 * over more stripes.
 */
final class Tally {
  /*
   * A stripe holds one word, from the highest bit down: closed (1), nanoseconds (34), successes (17),
   * failures (12). The highest bits of successes and failures are guards, which are 0 while the stripe
   * is open; the guard of the nanoseconds is the closed bit above them. If adding an outcome to an
   * open word sets none of these three bits, then no part has overflowed into the next.
   *
   * The mark: closed (1), successes (43), EWMA (20). It holds the EWMA after the latest failure and
   * the number of successes that this tally had counted by then. Later successes are not part of the
   * mark and need not be: the effect of a number of successes in a row on an EWMA can be computed at
   * any time. No success therefore writes to the mark.
   *
   * A closed word never changes again. Any thread that finds one can therefore close the remaining
   * words, compute the same totals, and install the successor: the tally is lock-free (CONC-3). No
   * tally is installed twice, so none is mistaken for its successor.
   */
  private static final int SUCCESSES_SHIFT = 12;
  private static final int NANOS_SHIFT = 29;
  private static final int EWMA_BITS = 20;
  private static final long NANOS_LIMIT = 1L << 34;
  private static final long CLOSED = Long.MIN_VALUE;
  private static final long GUARDS = (1L << (NANOS_SHIFT - 1)) | (1L << (SUCCESSES_SHIFT - 1));

  /** The word of one failure without a duration. */
  static final long FAILURE = 1;

  /** The word of one success without a duration. */
  static final long SUCCESS = 1L << SUCCESSES_SHIFT;

  /*
   * A narrow tally has its one stripe and its mark in fields. A wide tally has them in an array, with
   * 128 bytes between two stripes, because processors fetch cache lines in pairs, and with 64 bytes
   * between a stripe and the mark or an end of the array: all threads read the array's length, and
   * another object lies beyond its end. All lengths are powers of two. The widest tally has at least
   * one stripe for each processor.
   */
  private static final int STRIDE = 16;
  private static final int FIRST = STRIDE / 2;
  private static final int MARK = STRIDE;
  private static final int WIDE = 4 * STRIDE;
  private static final int WIDEST =
      Math.max(
          WIDE, 2 * STRIDE * Integer.highestOneBit(Runtime.getRuntime().availableProcessors() - 1));

  private static final VarHandle ONLY_STRIPE =
      Fields.of(MethodHandles.lookup(), "onlyStripe", long.class);
  private static final VarHandle ONLY_MARK =
      Fields.of(MethodHandles.lookup(), "onlyMark", long.class);
  private static final VarHandle ELEMENT = Fields.ofArray(long[].class);

  /** The result of {@link #tryAdd}. */
  enum Attempt {
    /** The outcome was added. */
    ADDED,
    /** The stripe is closed, or the outcome does not fit: the tally needs a successor. */
    FULL,
    /** Another caller wrote to the same stripe at the same time. */
    COLLIDED
  }

  private final long successesBefore;
  private final long failuresBefore;
  private final long nanosBefore;

  /** The stripes and the mark of a wide tally, null in a narrow one. */
  private final long @Nullable [] stripes;

  @SuppressWarnings("UnusedVariable") // accessed through ONLY_STRIPE
  private volatile long onlyStripe;

  @SuppressWarnings("UnusedVariable") // accessed through ONLY_MARK
  private volatile long onlyMark;

  /** Creates an empty narrow tally, for callers that take turns. */
  Tally() {
    this(0, 0, 0, Score.ONE, 0);
  }

  private Tally(long successes, long failures, long nanos, int ewma, int length) {
    successesBefore = successes;
    failuresBefore = failures;
    nanosBefore = nanos;
    if (length == 0) {
      stripes = null;
      onlyMark = ewma;
    } else {
      stripes = new long[length];
      stripes[MARK] = ewma;
    }
  }

  /**
   * Tries once to add an outcome to the stripe of the current thread.
   *
   * @param outcome {@link #SUCCESS} or {@link #FAILURE}
   * @param nanos the duration, not negative
   * @param stripeSeed determines which thread uses which stripe
   */
  Attempt tryAdd(long outcome, long nanos, int stripeSeed) {
    long[] stripes = this.stripes;
    if (stripes == null) { // a predicted branch, where an index would wait for the thread's id
      long word = (long) ONLY_STRIPE.getAcquire(this);
      long next = plus(word, outcome, nanos);
      return next < 0
          ? Attempt.FULL
          : ONLY_STRIPE.compareAndSet(this, word, next) ? Attempt.ADDED : Attempt.COLLIDED;
    }
    int index = stripeIndex(stripes.length, stripeSeed);
    long word = (long) ELEMENT.getAcquire(stripes, index);
    long next = plus(word, outcome, nanos);
    return next < 0
        ? Attempt.FULL
        : ELEMENT.compareAndSet(stripes, index, word, next) ? Attempt.ADDED : Attempt.COLLIDED;
  }

  /** Returns the array index of the current thread's stripe. */
  @SuppressWarnings("deprecation") // Java 17 has no threadId()
  static int stripeIndex(int length, int stripeSeed) {
    int hash = ((int) Thread.currentThread().getId() * stripeSeed) >>> 16;
    return (hash & (length - STRIDE)) + FIRST;
  }

  /** Returns a word with an outcome added, or a negative number if it does not fit. */
  static long plus(long word, long outcome, long nanos) {
    long sum = word + (nanos << NANOS_SHIFT) + outcome;
    return nanos < NANOS_LIMIT && word >= 0 && (sum & GUARDS) == 0 ? sum : CLOSED;
  }

  /**
   * Applies a failure that was added to a stripe to the EWMA. Returns false if the mark is closed.
   */
  boolean markFailure() {
    for (int losses = 0; ; Backoff.afterLoss(++losses)) {
      long mark = markAcquire();
      if (mark < 0) {
        return false;
      }
      // Counted after the mark was read. The number is then at least the number in the mark, and a
      // successful swap proves that no other failure was applied since the successes were counted.
      long successes = counted();
      long next = (successes << EWMA_BITS) | Score.nextEwma(ewma(mark, successes), false);
      if (next == mark || compareAndSetMark(mark, next)) {
        return true;
      }
    }
  }

  /** Closes this tally. Returns its successor, which includes an outcome that did not fit here. */
  Tally next(long outcome, long nanos) {
    return next(outcome, nanos, stripes == null ? 0 : stripes.length);
  }

  /** Closes this tally. Returns its successor, in which fewer callers share a stripe. */
  Tally wider() {
    return next(0, 0, stripes == null ? WIDE : 2 * stripes.length);
  }

  private Tally next(long outcome, long nanos, int length) {
    close();
    int ewma = ewma();
    return new Tally(
        successes() + (outcome == SUCCESS ? 1 : 0),
        failures() + (outcome == FAILURE ? 1 : 0),
        Nanos.saturatedSum(nanos(), nanos),
        outcome == SUCCESS ? Score.nextEwma(ewma, true) : ewma,
        length);
  }

  boolean isWidest() {
    return stripes != null && stripes.length == WIDEST;
  }

  int stripeCount() {
    return stripes == null ? 1 : stripes.length / STRIDE;
  }

  private void close() {
    for (int i = 0; i < stripeCount(); i++) {
      long word = wordAcquire(i);
      while (word >= 0 && !compareAndSetWord(i, word, word | CLOSED)) {
        word = wordAcquire(i);
      }
    }
    long mark = markAcquire();
    while (mark >= 0 && !compareAndSetMark(mark, mark | CLOSED)) {
      mark = markAcquire();
    }
  }

  long successes() {
    return successesBefore + counted();
  }

  private long counted() {
    long sum = 0;
    for (int i = 0; i < stripeCount(); i++) {
      sum += (wordAcquire(i) & ((1L << NANOS_SHIFT) - 1)) >>> SUCCESSES_SHIFT;
    }
    return sum;
  }

  long failures() {
    long sum = failuresBefore;
    for (int i = 0; i < stripeCount(); i++) {
      sum += wordAcquire(i) & (SUCCESS - 1);
    }
    return sum;
  }

  long nanos() {
    long sum = nanosBefore;
    for (int i = 0; i < stripeCount(); i++) {
      sum = Nanos.saturatedSum(sum, (wordAcquire(i) & ~CLOSED) >>> NANOS_SHIFT);
    }
    return sum;
  }

  /** Returns the EWMA. A failure that has not returned yet may be missing from it. */
  int ewma() {
    long mark = markAcquire();
    return ewma(mark & ~CLOSED, counted());
  }

  private static int ewma(long mark, long successes) {
    return Score.afterSuccesses(
        (int) (mark & ((1L << EWMA_BITS) - 1)), successes - (mark >>> EWMA_BITS));
  }

  private long wordAcquire(int stripe) {
    return stripes == null
        ? (long) ONLY_STRIPE.getAcquire(this)
        : (long) ELEMENT.getAcquire(stripes, stripe * STRIDE + FIRST);
  }

  private boolean compareAndSetWord(int stripe, long word, long next) {
    return stripes == null
        ? ONLY_STRIPE.compareAndSet(this, word, next)
        : ELEMENT.compareAndSet(stripes, stripe * STRIDE + FIRST, word, next);
  }

  private long markAcquire() {
    return stripes == null
        ? (long) ONLY_MARK.getAcquire(this)
        : (long) ELEMENT.getAcquire(stripes, MARK);
  }

  private boolean compareAndSetMark(long mark, long next) {
    return stripes == null
        ? ONLY_MARK.compareAndSet(this, mark, next)
        : ELEMENT.compareAndSet(stripes, MARK, mark, next);
  }
}

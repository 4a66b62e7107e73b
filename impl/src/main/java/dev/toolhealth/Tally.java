package dev.toolhealth;

import java.lang.invoke.VarHandle;

/**
 * How many outcomes there were, how long they took, and the EWMA of success. One compare-and-set
 * adds a success to all of it, and a second one makes a failure tell on the EWMA.
 *
 * <p>A tally fills up. It is closed then, and what it has come to goes into the next one, which
 * takes its place. So it is too if callers get into each other's way: then the next one has a word
 * for each of a few of them.
 */
final class Tally {
  /*
   * A word, from its highest bit down: closed (1), nanoseconds (34), successes (17), failures (12).
   * The highest bit of the last two is a guard, and 0 while the word is open; for nanoseconds that
   * is the bit above, closed. So if what comes of adding to an open word sets none of the three, no
   * part has run over into the next.
   *
   * The mark: closed (1), successes (43), EWMA (20). It holds the EWMA after the latest failure, and
   * how many successes this tally had by then. Those that came since are not in it, and need not be:
   * what a number of successes in a row make of an EWMA can be said at any time. So no success
   * writes there.
   *
   * What is closed never changes again. So whoever finds a closed word can close the rest, come to
   * the same totals and put the same next tally in place (CONC-3). No tally is ever put back, so
   * none is mistaken for its successor.
   */
  private static final int SUCCESSES_SHIFT = 12;
  private static final int NANOS_SHIFT = 29;
  private static final int EWMA_BITS = 20;
  private static final long NANOS_LIMIT = 1L << 34;
  private static final long CLOSED = Long.MIN_VALUE;
  private static final long GUARDS = (1L << (NANOS_SHIFT - 1)) | (1L << (SUCCESSES_SHIFT - 1));

  /** What an outcome adds to a word, beside its duration. */
  static final long FAILURE = 1;

  static final long SUCCESS = 1L << SUCCESSES_SHIFT;

  /*
   * A narrow tally has one word and the mark. A wide one has 128 bytes from one word to the next,
   * since processors fetch cache lines by twos, and 64 from them to the mark and to both ends of the
   * array: everybody reads its length, and beyond its end lies somebody else's object. All lengths
   * are powers of two. The widest has at least one word for each processor.
   */
  private static final int NARROW = 2;
  private static final int STRIDE = 16;
  private static final int WIDE = 4 * STRIDE;
  private static final int WIDEST =
      Math.max(
          WIDE, 2 * STRIDE * Integer.highestOneBit(Runtime.getRuntime().availableProcessors() - 1));

  private static final VarHandle WORD = Fields.ofArray(long[].class);

  private final long successesBefore;
  private final long failuresBefore;
  private final long nanosBefore;
  final long[] words;

  /** A tally of nothing, for callers that come one after the other. */
  Tally() {
    this(0, 0, 0, Score.ONE, NARROW);
  }

  private Tally(long successes, long failures, long nanos, int ewma, int length) {
    successesBefore = successes;
    failuresBefore = failures;
    nanosBefore = nanos;
    words = new long[length];
    words[markIndex()] = ewma;
  }

  /** Which word the current thread adds to. */
  @SuppressWarnings("deprecation") // threadId() is not there in Java 17
  static int mine(long[] words, int deal) {
    if (words.length == NARROW) {
      return 0; // a branch is foreseen, where an address would have to wait for the thread's id
    }
    int hash = ((int) Thread.currentThread().getId() * deal) >>> 16;
    return (hash & (words.length - STRIDE)) + STRIDE / 2;
  }

  static long word(long[] words, int i) {
    return (long) WORD.getAcquire(words, i);
  }

  static boolean compareAndSet(long[] words, int i, long word, long next) {
    return WORD.compareAndSet(words, i, word, next);
  }

  /** A word with an outcome added, negative if there is no room for it. */
  static long plus(long word, long outcome, long nanos) {
    long sum = word + (nanos << NANOS_SHIFT) + outcome;
    return nanos < NANOS_LIMIT && word >= 0 && (sum & GUARDS) == 0 ? sum : CLOSED;
  }

  /** Lets a failure that was added to a word tell on the EWMA; false if the mark is closed. */
  boolean markFailure() {
    for (int losses = 0; ; Backoff.afterLoss(++losses)) {
      long mark = word(words, markIndex());
      if (mark < 0) {
        return false;
      }
      // Only now: so they are no fewer than the mark says, and if the swap succeeds, no other
      // failure has told since they were counted.
      long successes = counted();
      long next = (successes << EWMA_BITS) | Score.nextEwma(ewma(mark, successes), false);
      if (next == mark || compareAndSet(words, markIndex(), mark, next)) {
        return true;
      }
    }
  }

  /** Closes this tally, and gives the next, with an outcome in it that has found no room here. */
  Tally next(long outcome, long nanos) {
    return next(outcome, nanos, words.length);
  }

  /** Closes this tally, and gives the next, in which fewer callers share a word. */
  Tally wider() {
    return next(0, 0, Math.max(WIDE, 2 * words.length));
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
    return words.length == WIDEST;
  }

  private void close() {
    for (int i = first(); i < words.length; i += STRIDE) {
      close(i);
    }
    close(markIndex());
  }

  private void close(int i) {
    for (; ; ) {
      long word = word(words, i);
      if (word < 0 || compareAndSet(words, i, word, word | CLOSED)) {
        return;
      }
    }
  }

  long successes() {
    return successesBefore + counted();
  }

  private long counted() {
    long sum = 0;
    for (int i = first(); i < words.length; i += STRIDE) {
      sum += (word(words, i) & ((1L << NANOS_SHIFT) - 1)) >>> SUCCESSES_SHIFT;
    }
    return sum;
  }

  long failures() {
    long sum = failuresBefore;
    for (int i = first(); i < words.length; i += STRIDE) {
      sum += word(words, i) & (SUCCESS - 1);
    }
    return sum;
  }

  long nanos() {
    long sum = nanosBefore;
    for (int i = first(); i < words.length; i += STRIDE) {
      sum = Nanos.saturatedSum(sum, (word(words, i) & ~CLOSED) >>> NANOS_SHIFT);
    }
    return sum;
  }

  /** Beside a failure that has yet to return, it may be that of the other outcomes. */
  int ewma() {
    long mark = word(words, markIndex());
    return ewma(mark & ~CLOSED, counted());
  }

  private static int ewma(long mark, long successes) {
    return Score.afterSuccesses(
        (int) (mark & ((1L << EWMA_BITS) - 1)), successes - (mark >>> EWMA_BITS));
  }

  private int first() {
    return words.length == NARROW ? 0 : STRIDE / 2;
  }

  private int markIndex() {
    return words.length == NARROW ? 1 : STRIDE;
  }
}

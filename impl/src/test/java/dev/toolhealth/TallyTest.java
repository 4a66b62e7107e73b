package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** What a word holds, what it refuses, and that nothing is lost from one tally to the next. */
class TallyTest {
  private static final long MOST_NANOS = (1L << 34) - 1;
  private static final int MOST_SUCCESSES = (1 << 16) - 1;
  private static final int MOST_FAILURES = (1 << 11) - 1;

  @Test
  void aWordTakesOutcomesUntilOneOfItsPartsIsFull() {
    assertThat(wordOf(Tally.SUCCESS, MOST_SUCCESSES)).isPositive();
    assertThat(wordOf(Tally.SUCCESS, MOST_SUCCESSES + 1)).isNegative();
    assertThat(wordOf(Tally.FAILURE, MOST_FAILURES)).isPositive();
    assertThat(wordOf(Tally.FAILURE, MOST_FAILURES + 1)).isNegative();
    assertThat(Tally.plus(0, Tally.SUCCESS, MOST_NANOS)).isPositive();
    assertThat(Tally.plus(0, Tally.SUCCESS, MOST_NANOS + 1)).isNegative();
    assertThat(Tally.plus(0, Tally.SUCCESS, Long.MAX_VALUE)).isNegative();
    assertThat(Tally.plus(Tally.plus(0, Tally.SUCCESS, MOST_NANOS), Tally.FAILURE, 0)).isPositive();
    assertThat(Tally.plus(Tally.plus(0, Tally.SUCCESS, MOST_NANOS), Tally.FAILURE, 1)).isNegative();
  }

  private static long wordOf(long outcome, int times) {
    long word = 0;
    for (int i = 0; i < times; i++) {
      word = Tally.plus(word, outcome, 0);
    }
    return word;
  }

  /** Full words of every kind, with something added: no part may run over into its neighbour. */
  @Property
  void noPartRunsOver(
      @ForAll @LongRange(max = MOST_SUCCESSES) long successes,
      @ForAll @LongRange(max = MOST_FAILURES) long failures,
      @ForAll @LongRange(max = MOST_NANOS) long nanos,
      @ForAll boolean success,
      @ForAll @LongRange(max = Long.MAX_VALUE) long duration) {
    long word = Tally.plus(successes * Tally.SUCCESS + failures * Tally.FAILURE, 0, nanos);
    long next = Tally.plus(word, success ? Tally.SUCCESS : Tally.FAILURE, duration);
    boolean fits =
        successes + (success ? 1 : 0) <= MOST_SUCCESSES
            && failures + (success ? 0 : 1) <= MOST_FAILURES
            && duration <= MOST_NANOS - nanos;
    assertThat(next >= 0).isEqualTo(fits);
  }

  @Test
  void whatATallyHasComeToGoesIntoTheNext() {
    Tally tally = new Tally();
    Tally first = tally.next(Tally.SUCCESS, Long.MAX_VALUE - 5);
    Tally second = first.next(Tally.FAILURE, 2);
    assertThat(second.markFailure()).isTrue();
    Tally third = second.wider();
    Tally last = third.next(Tally.SUCCESS, 9);
    assertThat(last.successes()).isEqualTo(2);
    assertThat(last.failures()).isEqualTo(1);
    assertThat(last.nanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(last.ewma()).isEqualTo(790_000);
  }

  @Test
  void whatIsClosedTakesNothingAndStaysWhatItWas() {
    Tally tally = new Tally();
    long word = Tally.plus(0, Tally.SUCCESS, 7);
    assertThat(Tally.compareAndSet(tally.words, 0, 0, word)).isTrue();
    Tally next = tally.next(0, 0);
    assertThat(Tally.plus(Tally.word(tally.words, 0), Tally.SUCCESS, 0)).isNegative();
    assertThat(tally.markFailure()).isFalse();
    assertThat(tally.successes()).isEqualTo(next.successes()).isEqualTo(1);
    assertThat(tally.nanos()).isEqualTo(next.nanos()).isEqualTo(7);
    assertThat(tally.ewma()).isEqualTo(next.ewma()).isEqualTo(1_000_000);
  }

  /** As many words as there are processors, however often callers collide, and no more. */
  @Test
  void aTallyGrowsToItsWidest() {
    Tally tally = new Tally();
    assertThat(tally.words).hasSize(2);
    int steps = 0;
    for (; !tally.isWidest(); steps++) {
      tally = tally.wider();
    }
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(tally.words.length / 16).isBetween(Math.max(4, processors), 4 * processors + 4);
    assertThat(steps).isLessThan(10);
  }

  /** No word is on the cache line of another, of the mark, of the length or of a neighbour. */
  @Test
  void wordsAreFarApart() {
    long[] words = new Tally().wider().words;
    for (int deal = 1; deal < 1_000_000; deal += 7) {
      int mine = Tally.mine(words, deal);
      assertThat(mine % 16).isEqualTo(8);
      assertThat(mine).isBetween(8, words.length - 8);
    }
  }
}

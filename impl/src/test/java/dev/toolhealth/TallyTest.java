package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.Tally.Attempt;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The capacity of a word, and the totals that pass from one tally to the next. */
class TallyTest {
  private static final long MOST_NANOS = (1L << 34) - 1;
  private static final int MOST_SUCCESSES = (1 << 16) - 1;
  private static final int MOST_FAILURES = (1 << 11) - 1;

  @Test
  void aWordTakesOutcomesUntilOnePartIsFull() {
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

  /** No part of a word overflows into the next, however full the word is and whatever is added. */
  @Property
  void noPartOverflows(
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
  void theSuccessorStartsFromTheTotals() {
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
  void aClosedTallyTakesNothingAndKeepsItsTotals() {
    for (Tally tally : List.of(new Tally(), new Tally().wider())) {
      assertThat(tally.tryAdd(Tally.SUCCESS, 7, 1)).isEqualTo(Attempt.ADDED);
      Tally next = tally.next(0, 0);
      assertThat(tally.tryAdd(Tally.SUCCESS, 0, 1)).isEqualTo(Attempt.FULL);
      assertThat(tally.markFailure()).isFalse();
      assertThat(tally.successes()).isEqualTo(next.successes()).isEqualTo(1);
      assertThat(tally.nanos()).isEqualTo(next.nanos()).isEqualTo(7);
      assertThat(tally.ewma()).isEqualTo(next.ewma()).isEqualTo(1_000_000);
      assertThat(next.stripeCount()).isEqualTo(tally.stripeCount());
    }
  }

  @Test
  void anOutcomeThatDoesNotFitFindsTheTallyFull() {
    Tally tally = new Tally();
    assertThat(tally.tryAdd(Tally.SUCCESS, MOST_NANOS + 1, 1)).isEqualTo(Attempt.FULL);
    assertThat(tally.tryAdd(Tally.SUCCESS, MOST_NANOS, 1)).isEqualTo(Attempt.ADDED);
    assertThat(tally.tryAdd(Tally.FAILURE, 1, 1)).isEqualTo(Attempt.FULL);
    assertThat(tally.tryAdd(Tally.FAILURE, 0, 1)).isEqualTo(Attempt.ADDED);
    assertThat(tally.successes()).isEqualTo(1);
    assertThat(tally.failures()).isEqualTo(1);
  }

  /** There are as many stripes as processors, however often callers collide, and not many more. */
  @Test
  void aTallyGrowsToItsWidest() {
    Tally tally = new Tally();
    assertThat(tally.stripeCount()).isEqualTo(1);
    int steps = 0;
    for (; !tally.isWidest(); steps++) {
      tally = tally.wider();
    }
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(tally.stripeCount()).isBetween(Math.max(4, processors), 4 * processors + 4);
    assertThat(steps).isLessThan(10);
  }

  /** No stripe shares a cache line with another, the mark, the array's length or a neighbor. */
  @Test
  void stripesAreFarApart() {
    int length = 16 * new Tally().wider().stripeCount();
    for (int seed = 1; seed < 1_000_000; seed += 7) {
      int index = Tally.stripeIndex(length, seed);
      assertThat(index % 16).isEqualTo(8);
      assertThat(index).isBetween(8, length - 8);
    }
  }
}

package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.STATISTICS;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** The checks of chapter STAT: counts and durations. */
final class StatisticsRules {
  private static final Config NEVER_TRIPS = new Config(0, 10, 10);

  /** Mixes successes and failures. On failure, look for an outcome counted twice or not at all. */
  @Check(value = Rule.STAT_1, needs = STATISTICS)
  void countsEachOutcomeOnce(Bench bench) {
    bench
        .scenario()
        .counts(0, 0)
        .success()
        .counts(1, 0)
        .failure()
        .counts(1, 1)
        .failure()
        .counts(1, 2)
        .successes(5)
        .counts(6, 2)
        .success(0)
        .failure(0)
        .counts(7, 3);
  }

  /**
   * Records more outcomes than a short, or a window of recent outcomes, can hold. On failure, look
   * for a narrow counter or a sliding window.
   */
  @Check(value = Rule.STAT_1, needs = STATISTICS)
  void countsManyOutcomes(Bench bench) {
    bench
        .scenario(NEVER_TRIPS)
        .successes(101)
        .counts(101, 0)
        .failures(101)
        .counts(101, 101)
        .successes(924)
        .counts(1_025, 101)
        .successes(64_512)
        .counts(65_537, 101)
        .failures(65_436)
        .counts(65_537, 65_537);
  }

  /**
   * Asks a gate that admits and a gate that refuses. On failure, look for a gate call that counts
   * as an outcome.
   */
  @Check(value = Rule.STAT_1, needs = STATISTICS)
  void theGateCountsNothing(Bench bench) {
    bench
        .scenario(new Config(1, Bench.OUT_OF_REACH, 10))
        .granted()
        .granted()
        .counts(0, 0)
        .failure()
        .refused()
        .refused()
        .counts(0, 1)
        .durationSum(1);
  }

  /**
   * Reads the success rate without outcomes, with one kind only, and with both kinds. On failure,
   * look for a division by zero or by an integer.
   */
  @Check(value = Rule.STAT_2, needs = STATISTICS)
  void dividesSuccessesByTotal(Bench bench) {
    bench
        .scenario()
        .successRate(1.0)
        .success()
        .successRate(1.0)
        .failure()
        .successRate(0.5)
        .success()
        .successRate(2.0 / 3)
        .success()
        .successRate(0.75);
    bench.scenario().failure().successRate(0.0).failure().successRate(0.0);
  }

  /**
   * Records durations of successes and failures. On failure, look for durations of failures that
   * are left out.
   */
  @Check(value = Rule.STAT_3, needs = STATISTICS)
  void sumsTheDurationsOfAllOutcomes(Bench bench) {
    bench
        .scenario()
        .durationSum(0)
        .success(5)
        .durationSum(5)
        .failure(7)
        .durationSum(12)
        .success(0)
        .durationSum(12);
  }

  /**
   * Brings the sum to the largest value, in one step and in several. On failure, look for a wrapped
   * sum.
   */
  @Check(value = Rule.STAT_3, needs = STATISTICS)
  void saturatesTheSum(Bench bench) {
    bench
        .scenario(NEVER_TRIPS)
        .success(Long.MAX_VALUE - 1)
        .durationSum(Long.MAX_VALUE - 1)
        .success(1)
        .durationSum(Long.MAX_VALUE)
        .failure(1)
        .durationSum(Long.MAX_VALUE);
    bench
        .scenario(NEVER_TRIPS)
        .failure(Long.MAX_VALUE / 2 + 1)
        .failure(Long.MAX_VALUE / 2 + 1)
        .durationSum(Long.MAX_VALUE)
        .success(Long.MAX_VALUE)
        .success(Long.MAX_VALUE)
        .durationSum(Long.MAX_VALUE);
  }

  /**
   * Reads the average without outcomes, and after outcomes of both kinds. On failure, look for
   * rounding to nearest or for failures that are left out.
   */
  @Check(value = Rule.STAT_4, needs = STATISTICS)
  void averagesOverAllOutcomes(Bench bench) {
    bench
        .scenario()
        .averageDuration(0)
        .success(5)
        .averageDuration(5)
        .failure(2)
        .averageDuration(3)
        .success(0)
        .averageDuration(2)
        .failure(0)
        .averageDuration(1);
  }

  /**
   * Raises the maximum by outcomes of both kinds. On failure, look for durations of failures that
   * are left out.
   */
  @Check(value = Rule.STAT_5, needs = STATISTICS)
  void keepsTheLongestDuration(Bench bench) {
    bench
        .scenario()
        .maxDuration(0)
        .success(5)
        .maxDuration(5)
        .failure(9)
        .maxDuration(9)
        .success(8)
        .failure(1)
        .maxDuration(9)
        .success(10)
        .maxDuration(10)
        .failure(Long.MAX_VALUE)
        .maxDuration(Long.MAX_VALUE)
        .success(10)
        .maxDuration(Long.MAX_VALUE);
  }

  /**
   * Records negative durations. On failure, look for a sum that falls or an outcome that is
   * dropped.
   */
  @Check(value = Rule.STAT_6, needs = STATISTICS)
  void countsANegativeDurationAsZero(Bench bench) {
    for (long negative : new long[] {-1, -5_000_000, Long.MIN_VALUE}) {
      bench
          .scenario()
          .success(negative)
          .counts(1, 0)
          .durationSum(0)
          .maxDuration(0)
          .failure(7)
          .failure(negative)
          .counts(1, 2)
          .durationSum(7)
          .averageDuration(2)
          .maxDuration(7);
    }
  }

  /**
   * Records outcomes in every state. On failure, look for a statistic that is updated only when the
   * breaker applies the outcome.
   */
  @Check(
      value = Rule.STAT_7,
      needs = {STATISTICS, MANUAL_CLOCK})
  void countsInEveryState(Bench bench) {
    Config config = new Config(2, 10, 10);
    bench
        .scenario(config)
        .failures(2) // OPEN
        .success(3)
        .failure(4)
        .counts(1, 3)
        .durationSum(9)
        .maxDuration(4)
        .at(10)
        .granted() // HALF_OPEN
        .at(20) // its lease ends
        .success(5)
        .counts(2, 3)
        .failure(6)
        .counts(2, 4)
        .durationSum(20)
        .maxDuration(6);
    bench.scenario(config).failures(2).at(10).granted().success(5).counts(1, 2).maxDuration(5);
    bench.scenario(config).failures(2).at(10).granted().failure(5).counts(0, 3).maxDuration(5);
    bench.scenario(config).failures(2).at(10).granted().at(20).failure(5).counts(0, 3);
  }

  /** Records durations of zero, of seconds, below zero and at the largest value. */
  @Check(value = Rule.STAT_3, needs = STATISTICS, fieldCase = "C19")
  void durationsAtTheEdges(Bench bench) {
    long long7s = Bench.seconds(7);
    bench
        .scenario(NEVER_TRIPS)
        .success(0)
        .maxDuration(0)
        .durationSum(0)
        .failure(long7s)
        .maxDuration(long7s)
        .durationSum(long7s)
        .success(-5)
        .counts(2, 1)
        .maxDuration(long7s)
        .durationSum(long7s)
        .success(Long.MAX_VALUE)
        .maxDuration(Long.MAX_VALUE)
        .durationSum(Long.MAX_VALUE)
        .success(1)
        .durationSum(Long.MAX_VALUE)
        .state(CircuitState.CLOSED);
  }

  /**
   * Races callers whose durations overflow the sum. No reader may see a sum that has wrapped. On
   * failure, look for a sum that is corrected after an addition.
   */
  @Check(value = Rule.STAT_3, needs = STATISTICS, racing = true)
  void theSumNeverWrapsInBetween(Bench bench) {
    Scenario scenario = bench.scenario(NEVER_TRIPS).success(Long.MAX_VALUE);
    String story = "8 callers each record 1000 successes of more than half the largest duration";
    try (Callers callers = bench.callers(8)) {
      List<Boolean> fell =
          callers.all(
              story,
              i ->
                  () -> {
                    boolean wrapped = false;
                    for (int n = 0; n < 1000; n++) {
                      scenario.subject().recordSuccess("search", Long.MAX_VALUE / 2 + 1);
                      wrapped |=
                          scenario.subject().statistics("search").durationSumNanos()
                              != Long.MAX_VALUE;
                    }
                    return wrapped;
                  });
      bench.expect(story, "the sum fell below the largest value", false, fell.contains(true));
    }
    scenario.counts(8_001, 0).durationSum(Long.MAX_VALUE).state(CircuitState.CLOSED);
  }
}

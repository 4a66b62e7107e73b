package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.STATISTICS;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Chapter STAT: what is counted. */
final class StatisticsRules {
  private static final Config NEVER_TRIPS = new Config(0, 10, 10);

  /** Outcomes of both kinds, mixed: each is in its own count once, and in the total. */
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

  /** More outcomes than a short, or a window of the last few, can hold. */
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

  /** Calls that are let through or refused are no outcomes. */
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

  /** No outcomes, good ones only, bad ones only, and a mixture. */
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

  /** Durations of both outcomes are summed. */
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

  /** Sums that reach the largest value, by one step and by many, stay there. */
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

  /** The mean over all outcomes, rounded down. */
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

  /** The high-water mark rises with either outcome and never falls. */
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

  /** A negative duration adds nothing to sum and maximum, but its outcome counts. */
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

  /** Outcomes that the breaker ignores are counted like any other. */
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
        .at(20) // its lease runs out
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

  /** Durations at the edges: zero, long and failed, negative, the largest, and more than that. */
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

  /** Half the largest duration and more, over and over: no reader ever sees the sum wrapped. */
  @Check(value = Rule.STAT_3, needs = STATISTICS, racing = true)
  void theSumNeverWrapsInBetween(Bench bench) {
    Scenario scenario = bench.scenario(NEVER_TRIPS).success(Long.MAX_VALUE);
    String story = "8 threads each record 1000 successes of half the largest duration and more";
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
      bench.expect(story, "the sum left the largest value", false, fell.contains(true));
    }
    scenario.counts(8_001, 0).durationSum(Long.MAX_VALUE).state(CircuitState.CLOSED);
  }
}

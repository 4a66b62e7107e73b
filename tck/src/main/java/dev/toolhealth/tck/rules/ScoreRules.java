package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.SCORE;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;

/** The checks of chapter SCORE: the score of a tool, and its consequences. */
final class ScoreRules {
  private static final Config NEVER_TRIPS = new Config(0, 10, 10);

  /**
   * Reads the score of a new tool, and of a tool with successes only. On failure, look at the
   * initial EWMA.
   */
  @Check(value = Rule.SCORE_1, needs = SCORE)
  void startsOptimistic(Bench bench) {
    bench.scenario().ewma(1_000_000).score(1.0).status(HealthStatus.HEALTHY);
    bench.scenario().successes(3).ewma(1_000_000).score(1.0).status(HealthStatus.HEALTHY);
  }

  /**
   * Plays the example of the rule, and the whole way down to zero and up again. On failure, look
   * for floating point or for rounding to nearest.
   */
  @Check(value = Rule.SCORE_2, needs = SCORE)
  void movesByThreeTenthsRoundedDown(Bench bench) {
    bench
        .scenario(NEVER_TRIPS)
        .failure()
        .ewma(700_000)
        .failure()
        .ewma(490_000)
        .success()
        .ewma(643_000);
    bench
        .scenario(new Config(1, Bench.OUT_OF_REACH, 10))
        .failure() // trips: from here the breaker ignores successes, but they still move the EWMA
        .success()
        .ewma(790_000)
        .failure()
        .ewma(553_000);
    // The first product 7 x EWMA / 10 that is not whole is 7 x 117 649 / 10.
    bench
        .scenario(NEVER_TRIPS)
        .failures(6)
        .ewma(117_649)
        .failure()
        .ewma(82_354)
        .failure()
        .ewma(57_647)
        .failures(29)
        .ewma(0)
        .failure()
        .ewma(0)
        .success()
        .ewma(300_000)
        .success()
        .ewma(510_000)
        .success()
        .ewma(657_000)
        .successes(40)
        .ewma(999_997); // rounding down keeps the EWMA below 1 000 000 from now on
  }

  /**
   * Checks every step down to zero and up to the value where rounding down stops it. On failure,
   * look for an accumulated rounding error.
   */
  @Check(value = Rule.SCORE_2, needs = SCORE)
  void everyStepIsExact(Bench bench) {
    Scenario scenario = bench.scenario(NEVER_TRIPS);
    long ewma = 1_000_000;
    for (int i = 0; i < 45; i++) {
      ewma = 7 * ewma / 10;
      scenario.failure().ewma(ewma);
    }
    for (int i = 0; i < 45; i++) {
      ewma = (7 * ewma + 3_000_000) / 10;
      scenario.success().ewma(ewma);
    }
  }

  /**
   * Compares the scores of short histories with values worked out by hand. On failure, look at the
   * weights.
   */
  @Check(value = Rule.SCORE_3, needs = SCORE)
  void weighsRateAndEwma(Bench bench) {
    bench.scenario(NEVER_TRIPS).failure().score(0.49).failure().score(0.343);
    bench.scenario(NEVER_TRIPS).successes(3).failure().score(0.3 * 0.75 + 0.7 * 0.7);
    bench.scenario(NEVER_TRIPS).failures(60).score(0.0);
  }

  /**
   * Plays histories whose score is exactly 0.5 or 0.8, and the same histories with one success
   * less. On failure, look for a comparison in floating point, where some exact scores fall below
   * the bound.
   */
  @Check(value = Rule.SCORE_4, needs = SCORE)
  void classifiesExactly(Bench bench) {
    exactly(bench, 1_305, 1_350, 1, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);
    exactly(bench, 143, 300, 2, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);
    exactly(bench, 401, 3_000, 3, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);
    exactly(bench, 26_807, 30_000, 4, HealthStatus.HEALTHY, HealthStatus.DEGRADED);
    exactly(bench, 105_099, 200_000, 7, HealthStatus.HEALTHY, HealthStatus.DEGRADED);
  }

  /**
   * Plays histories whose score is below a bound by as little as 1.4 / 10^11. On failure, look for
   * a comparison in floating point or with a tolerance.
   */
  @Check(value = Rule.SCORE_4, needs = SCORE)
  void classifiesWhatIsJustBelow(Bench bench) {
    justBelow(bench, 159, 419, "SSSSSSSSSSS", HealthStatus.DEGRADED); // 0.8 - 1.8 / 10^8
    justBelow(bench, 6_732, 7_037, "SFFSSFFSSFSS", HealthStatus.DEGRADED); // 0.8 - 1.4 / 10^11
    justBelow(bench, 27, 202, "SSS", HealthStatus.UNHEALTHY); // 0.5 - 9.9 / 10^7
    justBelow(bench, 5_074, 8_173, "SFSFFSSFFFS", HealthStatus.UNHEALTHY); // 0.5 - 2.4 / 10^11
  }

  /**
   * Plays a number of outcomes that ends in a given pattern, with the EWMA at zero before the
   * pattern.
   */
  private static void justBelow(
      Bench bench, int successes, int total, String last, HealthStatus status) {
    int succeed = (int) last.chars().filter(c -> c == 'S').count();
    Scenario scenario =
        bench
            .scenario(NEVER_TRIPS)
            .successes(successes - succeed)
            .failures(total - successes - (last.length() - succeed))
            .ewma(0);
    last.chars().forEach(c -> outcome(scenario, c == 'S'));
    scenario.status(status);
  }

  private static void outcome(Scenario scenario, boolean success) {
    if (success) {
      scenario.success();
    } else {
      scenario.failure();
    }
  }

  /** Plays a number of outcomes that ends in a few successes, with the EWMA at zero before them. */
  private static void exactly(
      Bench bench, int successes, int total, int last, HealthStatus status, HealthStatus below) {
    for (int missing = 0; missing <= 1; missing++) {
      bench
          .scenario(NEVER_TRIPS)
          .successes(successes - last - missing)
          .failures(total - successes + missing)
          .ewma(0)
          .successes(last)
          .status(missing == 0 ? status : below);
    }
  }

  /**
   * Reads the status of an open breaker, an expired probe and a live probe, with a score that is
   * DEGRADED. On failure, look for a status that ignores the expiry of a probe.
   */
  @Check(
      value = Rule.SCORE_5,
      needs = {SCORE, MANUAL_CLOCK})
  void anOpenBreakerIsUnhealthy(Bench bench) {
    bench
        .scenario(new Config(1, 10, 10))
        .successes(99)
        .status(HealthStatus.HEALTHY)
        .failure() // the score is 0.787, which alone would be DEGRADED
        .status(HealthStatus.UNHEALTHY)
        .at(1_000)
        .status(HealthStatus.UNHEALTHY)
        .granted()
        .status(HealthStatus.DEGRADED)
        .at(1_009)
        .status(HealthStatus.DEGRADED)
        .at(1_010)
        .status(HealthStatus.UNHEALTHY)
        .at(1_020)
        .granted()
        .status(HealthStatus.DEGRADED)
        .success()
        .status(HealthStatus.HEALTHY);
  }

  /**
   * Plays histories that differ only in their durations. On failure, look for a score that includes
   * latency.
   */
  @Check(value = Rule.SCORE_6, needs = SCORE)
  void durationsDoNotMatter(Bench bench) {
    for (long nanos : new long[] {0, 1, Bench.seconds(3_600), Long.MAX_VALUE}) {
      bench
          .scenario(NEVER_TRIPS)
          .success(nanos)
          .ewma(1_000_000)
          .score(1.0)
          .status(HealthStatus.HEALTHY)
          .failure(nanos)
          .ewma(700_000)
          .score(0.64)
          .status(HealthStatus.DEGRADED)
          .success(nanos)
          .ewma(790_000);
    }
  }

  /**
   * Asks the gate of a tool with the worst possible score. On failure, look for a gate that reads
   * the score.
   */
  @Check(Rule.SCORE_7)
  void aBadScoreRefusesNothing(Bench bench) {
    bench
        .scenario(NEVER_TRIPS)
        .failures(100)
        .score(0)
        .status(HealthStatus.UNHEALTHY)
        .granted()
        .available(true);
    bench.scenario(new Config(3, 10, 10)).failures(2).granted().available(true);
  }

  /** Lets every other call fail. The tool alternates between two statuses and never trips. */
  @Check(value = Rule.SCORE_3, needs = SCORE, fieldCase = "C22")
  void flapping(Bench bench) {
    long[] ewmas = {700_000, 790_000, 553_000, 687_100, 480_970, 636_679};
    double[] scores = {0.49, 0.703, 0.4871, 0.63097, 0.456679, 0.5956753};
    Scenario scenario =
        bench.scenario().score(1.0).status(HealthStatus.HEALTHY).available(true).successRate(1.0);
    for (int i = 0; i < ewmas.length; i++) {
      boolean fails = i % 2 == 0;
      if (fails) {
        scenario.failure();
      } else {
        scenario.success();
      }
      scenario
          .ewma(ewmas[i])
          .score(scores[i])
          .status(fails ? HealthStatus.UNHEALTHY : HealthStatus.DEGRADED)
          .state(CircuitState.CLOSED)
          .available(true);
    }
    bench.scenario().successes(3).failure().score(0.715).status(HealthStatus.DEGRADED);
    bench
        .scenario()
        .successes(2)
        .failures(2)
        .score(0.493)
        .status(HealthStatus.UNHEALTHY)
        .state(CircuitState.CLOSED);
  }
}

package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.SCORE;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;

/** Chapter SCORE: how good a tool is, and what follows from that. */
final class ScoreRules {
  private static final Config NEVER_TRIPS = new Config(0, 10, 10);

  /** A tool of which nothing is known is trusted. */
  @Check(value = Rule.SCORE_1, needs = SCORE)
  void startsOptimistic(Bench bench) {
    bench.scenario().ewma(1_000_000).score(1.0).status(HealthStatus.HEALTHY);
    bench.scenario().successes(3).ewma(1_000_000).score(1.0).status(HealthStatus.HEALTHY);
  }

  /** The worked example, and the whole way down to zero and up again, rounded down at each step. */
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
        .failure() // trips: what the breaker ignores from here on moves the EWMA all the same
        .success()
        .ewma(790_000)
        .failure()
        .ewma(553_000);
    // 7 x 168 070 is 1 176 490, and 7 x 5 764 801 / 10^7 the first of these that is not whole.
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
        .ewma(999_997); // rounding down keeps it from ever being perfect again
  }

  /** Each step of the way down to zero and up to where rounding down stops it. */
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

  /** Hand-worked scores of short histories. */
  @Check(value = Rule.SCORE_3, needs = SCORE)
  void weighsRateAndEwma(Bench bench) {
    bench.scenario(NEVER_TRIPS).failure().score(0.49).failure().score(0.343);
    bench.scenario(NEVER_TRIPS).successes(3).failure().score(0.3 * 0.75 + 0.7 * 0.7);
    bench.scenario(NEVER_TRIPS).failures(60).score(0.0);
  }

  /**
   * Histories whose score is exactly 0.5 or 0.8, and the same with one outcome to the worse. In
   * floating point some of the exact ones come out below the bound.
   */
  @Check(value = Rule.SCORE_4, needs = SCORE)
  void classifiesExactly(Bench bench) {
    exactly(bench, 1_305, 1_350, 1, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);
    exactly(bench, 143, 300, 2, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);
    exactly(bench, 401, 3_000, 3, HealthStatus.DEGRADED, HealthStatus.UNHEALTHY);
    exactly(bench, 26_807, 30_000, 4, HealthStatus.HEALTHY, HealthStatus.DEGRADED);
    exactly(bench, 105_099, 200_000, 7, HealthStatus.HEALTHY, HealthStatus.DEGRADED);
  }

  /** Histories whose score is less than a bound by hundredths of a millionth and less. */
  @Check(value = Rule.SCORE_4, needs = SCORE)
  void classifiesWhatIsJustBelow(Bench bench) {
    justBelow(bench, 159, 419, "SSSSSSSSSSS", HealthStatus.DEGRADED); // 0.8 - 1.8 / 10^8
    justBelow(bench, 6_732, 7_037, "SFFSSFFSSFSS", HealthStatus.DEGRADED); // 0.8 - 1.4 / 10^11
    justBelow(bench, 27, 202, "SSS", HealthStatus.UNHEALTHY); // 0.5 - 9.9 / 10^7
    justBelow(bench, 5_074, 8_173, "SFSFFSSFFFS", HealthStatus.UNHEALTHY); // 0.5 - 2.4 / 10^11
  }

  /** So many outcomes, of which the last are given, after the EWMA was down at zero. */
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

  /** So many outcomes of which the last few are successes after the EWMA was down at zero. */
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

  /** Open and expired breakers are unhealthy with any score; a probe that is out is not held so. */
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

  /** Two histories that differ in nothing but their durations. */
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

  /** The worst score there is does not close the gate. */
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

  /** A tool that fails every other call flaps between two statuses and never trips. */
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

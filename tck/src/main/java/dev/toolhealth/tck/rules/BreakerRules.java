package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.CONSECUTIVE_FAILURES;
import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.script.ManualClock;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The checks of chapter BRK: when a breaker trips, refuses, probes and recovers. */
final class BreakerRules {
  private static final long S30 = Bench.seconds(30);

  /**
   * Uses a new breaker, and a breaker with successes only. On failure, look at the initial state.
   */
  @Check(Rule.BRK_1)
  void startsClosed(Bench bench) {
    bench
        .scenario()
        .state(CircuitState.CLOSED)
        .consecutiveFailures(0)
        .available(true)
        .granted()
        .granted()
        .state(CircuitState.CLOSED)
        .successes(2)
        .granted()
        .consecutiveFailures(0);
  }

  /**
   * Counts failures in CLOSED, OPEN and HALF_OPEN, and with an expired probe. On failure, look for
   * a state in which failures are skipped or successes reset the count.
   */
  @Check(
      value = Rule.BRK_2,
      needs = {CONSECUTIVE_FAILURES, MANUAL_CLOCK})
  void countsFailuresInEveryState(Bench bench) {
    bench
        .scenario(new Config(2, 10, 10))
        .failure()
        .consecutiveFailures(1)
        .failure() // trips
        .consecutiveFailures(2)
        .failure()
        .consecutiveFailures(3)
        .success() // ignored
        .consecutiveFailures(3)
        .at(10)
        .granted()
        .consecutiveFailures(3)
        .failure() // the probe fails
        .consecutiveFailures(4)
        .at(20)
        .granted()
        .at(30) // the lease ends
        .consecutiveFailures(4)
        .success() // ignored
        .consecutiveFailures(4)
        .failure()
        .consecutiveFailures(5)
        .at(40)
        .granted()
        .success() // applied
        .consecutiveFailures(0)
        .failure()
        .consecutiveFailures(1)
        .success() // applied
        .consecutiveFailures(0);
  }

  /**
   * Counts runs longer than a byte or a short can hold, and longer than any common threshold. On
   * failure, look for a counter that is too narrow or stops at the threshold.
   */
  @Check(value = Rule.BRK_2, needs = CONSECUTIVE_FAILURES)
  void longRunsAreCountedToo(Bench bench) {
    for (int threshold : new int[] {0, 1}) {
      Scenario scenario = bench.scenario(new Config(threshold, Bench.OUT_OF_REACH, S30));
      int counted = 0;
      for (int run : new int[] {101, 129, 257, 1_025, 4_097, 32_769, 65_537}) {
        scenario.failures(run - counted).consecutiveFailures(run);
        counted = run;
      }
    }
  }

  /**
   * Stops one failure short of the threshold, reaches it, and exceeds it. On failure, look for <
   * instead of <=.
   */
  @Check(Rule.BRK_3)
  void tripsAtTheThreshold(Bench bench) {
    for (int threshold : new int[] {1, 2, 3, 10, 11, 100, 127, 128, 256, 1_000, 32_768, 65_537}) {
      bench
          .scenario(new Config(threshold, Bench.OUT_OF_REACH, S30))
          .failures(threshold - 1)
          .state(CircuitState.CLOSED)
          .granted()
          .failure()
          .state(CircuitState.OPEN)
          .refused()
          .failure()
          .state(CircuitState.OPEN)
          .refused();
    }
  }

  /**
   * Spreads the failures over time. On failure, look for a cooldown that starts at the first
   * failure of the run.
   */
  @Check(value = Rule.BRK_3, needs = MANUAL_CLOCK)
  void theCooldownCountsFromTheTrippingFailure(Bench bench) {
    bench
        .scenario(new Config(3, 100, 100))
        .at(5)
        .failure()
        .at(40)
        .failure()
        .at(70)
        .failure()
        .at(169)
        .available(false)
        .refused()
        .at(170)
        .available(true)
        .granted();
  }

  /**
   * Leaves long pauses between failures. On failure, look for a time window that forgets failures.
   */
  @Check(value = Rule.BRK_3, needs = MANUAL_CLOCK, fieldCase = "C22")
  void idleBetweenFailures(Bench bench) {
    bench
        .scenario()
        .failure()
        .at(Bench.ms(1))
        .failure()
        .at(Bench.ms(86_400_000))
        .state(CircuitState.CLOSED)
        .failure()
        .state(CircuitState.OPEN)
        .refused();
    for (long idle : Bench.LONG_TIMES) {
      bench
          .scenario(new Config(2, S30, S30))
          .failure()
          .at(idle)
          .failure()
          .state(CircuitState.OPEN)
          .refused();
    }
  }

  /**
   * Puts a success before the failure that would trip, several times. On failure, look for a count
   * that a success does not reset.
   */
  @Check(Rule.BRK_4)
  void aSuccessEndsTheRun(Bench bench) {
    Scenario scenario = bench.scenario(new Config(3, Bench.OUT_OF_REACH, S30));
    for (int round = 0; round < 3; round++) {
      scenario
          .failures(2)
          .consecutiveFailures(2)
          .success()
          .consecutiveFailures(0)
          .state(CircuitState.CLOSED)
          .granted();
    }
    scenario.failures(2).granted().failure().state(CircuitState.OPEN).refused();
  }

  /**
   * Records a hundred failures with threshold 0. On failure, look for a comparison that 0
   * satisfies, or for failures that are no longer counted.
   */
  @Check(Rule.BRK_5)
  void thresholdZeroNeverTrips(Bench bench) {
    bench
        .scenario(new Config(0, S30, S30))
        .failures(100)
        .state(CircuitState.CLOSED)
        .consecutiveFailures(100)
        .available(true)
        .granted()
        .success()
        .consecutiveFailures(0);
  }

  /** Records a thousand failures with threshold 0. They must show everywhere except in the gate. */
  @Check(value = Rule.BRK_5, fieldCase = "C18a")
  void thresholdZeroForAThousandFailures(Bench bench) {
    bench
        .scenario(new Config(0, S30, S30))
        .failures(1_000)
        .state(CircuitState.CLOSED)
        .available(true)
        .consecutiveFailures(1_000)
        .ewma(0)
        .score(0)
        .status(HealthStatus.UNHEALTHY)
        .granted();
  }

  /**
   * Asks one nanosecond before the end of cooldowns from one nanosecond to an hour. On failure,
   * look for rounding, or for > instead of >=.
   */
  @Check(value = Rule.BRK_6, needs = MANUAL_CLOCK)
  void refusesDuringTheCooldown(Bench bench) {
    for (long recovery : new long[] {1, 2, 999, 1_500_000, S30, Bench.seconds(3_600)}) {
      bench
          .scenario(new Config(1, recovery, S30))
          .at(3)
          .failure()
          .refused()
          .at(3 + recovery - 1)
          .available(false)
          .refused()
          .state(CircuitState.OPEN);
    }
  }

  /**
   * Asks a thousand times while the breaker is open, and while a probe is out. On failure, look for
   * a limit on refusals.
   */
  @Check(value = Rule.BRK_6, needs = MANUAL_CLOCK)
  void refusesForAsLongAsItTakes(Bench bench) {
    Config config = new Config(1, 10, 10);
    refusedOver(bench.scenario(config).failure().at(9)).at(10).granted();
    refusedOver(bench.scenario(config).failure().at(10).granted().at(19)).at(30).granted();
    refusedOver(bench.scenario(config).failure().at(10).granted().at(29)).at(30).granted();
  }

  private static Scenario refusedOver(Scenario scenario) {
    for (int i = 0; i < 1_001; i++) {
      scenario.refused();
    }
    return scenario;
  }

  /**
   * Asks at the end of the same cooldowns and later. The state must change at the gate call and not
   * before. On failure, look for a timer.
   */
  @Check(value = Rule.BRK_7, needs = MANUAL_CLOCK)
  void grantsTheProbeWhenTheCooldownHasElapsed(Bench bench) {
    for (long recovery : new long[] {1, 2, 999, 1_500_000, S30, Bench.seconds(3_600)}) {
      for (long late : new long[] {0, 1, Bench.seconds(86_400)}) {
        bench
            .scenario(new Config(1, recovery, S30))
            .at(3)
            .failure()
            .at(3 + recovery + late)
            .state(CircuitState.OPEN)
            .available(true)
            .state(CircuitState.OPEN)
            .granted()
            .state(CircuitState.HALF_OPEN);
      }
    }
  }

  /**
   * Asks while a probe is out, until the last instant of its lease. On failure, look for a second
   * probe after another cooldown.
   */
  @Check(value = Rule.BRK_8, needs = MANUAL_CLOCK)
  void grantsOneProbeOnly(Bench bench) {
    bench
        .scenario(new Config(1, 10, 100))
        .failure()
        .at(50)
        .granted()
        .refused()
        .available(false)
        .refused()
        .at(60) // another cooldown has elapsed since the grant
        .refused()
        .at(149)
        .available(false)
        .refused()
        .state(CircuitState.HALF_OPEN);
  }

  /**
   * Races 64 callers, and then 2 callers on many more tools, for one probe. On every other tool,
   * half of the callers ask the oracle first. Two callers on two cores meet more closely than many.
   * On failure, look for a check and an update that are not one atomic step.
   */
  @Check(value = Rule.BRK_8, needs = MANUAL_CLOCK, fieldCase = "C02", racing = true)
  void oneProbeUnderContention(Bench bench) {
    oneProbe(bench, 64, 100);
    oneProbe(bench, 2, 20_000);
  }

  private static void oneProbe(Bench bench, int count, int tools) {
    String story =
        "OPEN, its cooldown elapsed: " + count + " callers ask the gate at the same instant";
    String early = "the probe has failed, and the next cooldown ends in a nanosecond";
    String expired =
        "the probe is lost, and its lease and the next cooldown have elapsed: "
            + count
            + " callers ask the gate at the same instant";
    ManualClock clock = new ManualClock(0);
    Subject subject = bench.adapter().create(Config.DEFAULT, clock);
    for (int i = 0; i < tools; i++) {
      for (int n = 0; n < 3; n++) {
        subject.recordFailure("tool-" + i, 1);
      }
    }
    try (Callers callers = bench.callers(count)) {
      clock.setElapsed(S30);
      expectGranted(bench, callers, story, 1, tools, subject);
      for (int i = 0; i < tools; i++) {
        subject.recordFailure("tool-" + i, 1);
      }
      clock.setElapsed(2 * S30 - 1);
      expectGranted(bench, callers, early, 0, tools, subject);
      clock.setElapsed(2 * S30);
      expectGranted(bench, callers, story, 1, tools, subject);
      clock.setElapsed(4 * S30);
      expectGranted(bench, callers, expired, 1, tools, subject);
    }
  }

  private static void expectGranted(
      Bench bench, Callers callers, String story, int expected, int tools, Subject subject) {
    AtomicIntegerArray granted = new AtomicIntegerArray(tools);
    callers.rounds(
        story,
        tools,
        (caller, i) -> {
          boolean oracleFirst = bench.claims(Capability.ORACLE) && caller % 2 + i % 2 == 0;
          if (ask(subject, "tool-" + i, oracleFirst)) {
            granted.incrementAndGet(i);
          }
        });
    for (int i = 0; i < tools; i++) {
      bench.expect(story, "callers granted", expected, granted.get(i));
      if (bench.claims(Capability.ORACLE)) {
        bench.expect(
            story, "isToolAvailable after that", false, subject.isToolAvailable("tool-" + i));
      }
    }
  }

  /**
   * Asks the gate, on request after the oracle. If the oracle says no, the gate must not say yes.
   */
  private static boolean ask(Subject subject, String tool, boolean oracleFirst) {
    boolean available = !oracleFirst || subject.isToolAvailable(tool);
    return subject.allowRequest(tool) && available;
  }

  /**
   * Lets the probe succeed. The breaker must close with a full threshold ahead. On failure, look
   * for a count not reset on recovery.
   */
  @Check(value = Rule.BRK_9, needs = MANUAL_CLOCK)
  void aProbesSuccessCloses(Bench bench) {
    for (long after : new long[] {0, 1, 99}) {
      bench
          .scenario(new Config(3, 10, 100))
          .failures(5)
          .at(10)
          .granted()
          .at(10 + after)
          .success()
          .state(CircuitState.CLOSED)
          .consecutiveFailures(0)
          .granted()
          .granted()
          .failures(2)
          .state(CircuitState.CLOSED)
          .granted()
          .failure()
          .state(CircuitState.OPEN)
          .refused();
    }
  }

  /**
   * Lets the probe fail. The breaker must open for a full cooldown from that failure, at any
   * threshold. On failure, look for an old start of the cooldown.
   */
  @Check(value = Rule.BRK_10, needs = MANUAL_CLOCK)
  void aProbesFailureOpens(Bench bench) {
    for (int threshold : new int[] {1, 3}) {
      for (long after : new long[] {0, 1, 99}) {
        bench
            .scenario(new Config(threshold, 50, 100))
            .failures(threshold)
            .at(60)
            .granted()
            .at(60 + after)
            .failure()
            .state(CircuitState.OPEN)
            .consecutiveFailures(threshold + 1L)
            .refused()
            .at(60 + after + 49)
            .available(false)
            .refused()
            .at(60 + after + 50)
            .available(true)
            .granted();
      }
    }
  }

  /**
   * Uses no cooldown. There must still be only one probe at a time. On failure, look for a breaker
   * without HALF_OPEN.
   */
  @Check(value = Rule.BRK_11, needs = MANUAL_CLOCK)
  void recoveryZeroProbesAtOnce(Bench bench) {
    bench
        .scenario(new Config(1, 0, 100))
        .at(7)
        .failure()
        .state(CircuitState.OPEN)
        .available(true)
        .granted()
        .available(false)
        .refused()
        .failure()
        .state(CircuitState.OPEN)
        .granted()
        .success()
        .state(CircuitState.CLOSED);
  }

  /**
   * Uses no cooldown, threshold 1, and a probe that never reports. On failure, look at the end of
   * the lease.
   */
  @Check(value = Rule.BRK_11, needs = MANUAL_CLOCK, fieldCase = "C18b")
  void recoveryZeroWithALostProbe(Bench bench) {
    bench
        .scenario(new Config(1, 0, S30))
        .at(Bench.ms(500))
        .failure()
        .available(true)
        .granted()
        .refused()
        .failure()
        .granted()
        .at(Bench.ms(30_499))
        .available(false)
        .refused()
        .at(Bench.ms(30_500))
        .available(true)
        .granted();
  }

  /**
   * Lets thirty probes fail, and thirty get lost. On failure, look for a cooldown that grows, or
   * for a limit on probes.
   */
  @Check(value = Rule.BRK_12, needs = MANUAL_CLOCK)
  void manyProbesInARow(Bench bench) {
    Config config = new Config(1, 10, 20);
    Scenario relapses = bench.scenario(config).failure();
    Scenario losses = bench.scenario(config).failure();
    for (int round = 1; round <= 30; round++) {
      relapses.advance(9).refused().advance(1).granted().advance(1).failure();
      losses.advance(9).refused().advance(1).granted().advance(19).refused().advance(1);
    }
    relapses.advance(10).granted().success().state(CircuitState.CLOSED).granted();
    losses.advance(10).granted().success().state(CircuitState.CLOSED).granted();
  }

  /**
   * Plays fifty rounds of trip, relapse, expiry and recovery on one tool. On failure, look for
   * state that survives a round.
   */
  @Check(value = Rule.BRK_12, needs = MANUAL_CLOCK)
  void laterRoundsAreLikeTheFirst(Bench bench) {
    Scenario scenario = bench.scenario(new Config(2, 10, 20));
    for (int round = 0; round < 50; round++) {
      long start = round * 1_000L;
      scenario
          .at(start)
          .failure()
          .state(CircuitState.CLOSED)
          .consecutiveFailures(1)
          .granted()
          .failure()
          .state(CircuitState.OPEN)
          .at(start + 9)
          .refused()
          .at(start + 10)
          .granted()
          .refused()
          .at(start + 15)
          .failure()
          .consecutiveFailures(3)
          .at(start + 24)
          .refused()
          .at(start + 25)
          .granted()
          .at(start + 44)
          .state(CircuitState.HALF_OPEN)
          .refused()
          .at(start + 45)
          .state(CircuitState.OPEN)
          .at(start + 54)
          .refused()
          .at(start + 55)
          .granted()
          .success()
          .state(CircuitState.CLOSED)
          .consecutiveFailures(0)
          .granted();
    }
  }
}

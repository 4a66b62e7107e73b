package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.CIRCUIT_STATE;
import static dev.toolhealth.tck.Capability.CONSECUTIVE_FAILURES;
import static dev.toolhealth.tck.Capability.ORACLE;
import static dev.toolhealth.tck.Capability.RECONFIGURATION;
import static dev.toolhealth.tck.Capability.ROUTING;
import static dev.toolhealth.tck.Capability.SCORE;
import static dev.toolhealth.tck.Capability.STATISTICS;
import static dev.toolhealth.tck.script.Expectation.available;
import static dev.toolhealth.tck.script.Expectation.consecutiveFailures;
import static dev.toolhealth.tck.script.Expectation.failures;
import static dev.toolhealth.tck.script.Expectation.granted;
import static dev.toolhealth.tck.script.Expectation.refused;
import static dev.toolhealth.tck.script.Expectation.route;
import static dev.toolhealth.tck.script.Expectation.state;
import static dev.toolhealth.tck.script.Expectation.status;
import static dev.toolhealth.tck.script.Expectation.successes;
import static dev.toolhealth.tck.script.Expectation.toolCount;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.script.Call;
import dev.toolhealth.tck.script.Round;
import dev.toolhealth.tck.script.WallClockScenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The checks of the time-dependent rules of all chapters, for subjects without a manual clock. The
 * real clock shows less than the manual clock: boundaries are observed from a distance, and
 * lateness is noticed only beyond the patience.
 *
 * <p>A check of the cooldown uses a lease out of reach, so that time decides nothing but the end of
 * the cooldown.
 */
final class WallClockRules {
  private static final long NEVER = Bench.OUT_OF_REACH;

  /**
   * Records outcomes in each state, stale outcomes included. On failure, look for a statistic that
   * is updated only when the breaker applies the outcome.
   */
  @Check(value = Rule.STAT_7, needs = STATISTICS)
  void countsInEveryState(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, unit));
          scenario.failures(2);
          scenario.success();
          Call last = scenario.failure();
          scenario.expect(successes(1), failures(3));
          Call probe = scenario.expectAfter(last, unit, granted());
          scenario.pass(probe, 2 * unit);
          scenario.success();
          scenario.expect(successes(2), failures(3));
          scenario.failure();
          scenario.expect(successes(2), failures(4));
        });
  }

  /**
   * Reads the status of an open breaker, a live probe and an expired probe, with a score that is
   * DEGRADED. On failure, look for a status that ignores the expiry of a probe.
   */
  @Check(value = Rule.SCORE_5, needs = SCORE)
  void anOpenBreakerIsUnhealthy(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          for (int i = 0; i < 99; i++) {
            scenario.success();
          }
          scenario.expect(status(HealthStatus.HEALTHY));
          Call trip = scenario.failure();
          scenario.expectThroughout(trip, 2 * unit, status(HealthStatus.UNHEALTHY));
          Call probe = scenario.expectSoon(granted());
          scenario.expectUntil(probe, unit, status(HealthStatus.DEGRADED));
          scenario.expectAfter(probe, unit, status(HealthStatus.UNHEALTHY));
          scenario.expectThroughout(probe, 3 * unit, status(HealthStatus.UNHEALTHY));
          probe = scenario.expectSoon(granted());
          Call success = scenario.success();
          scenario.requireWithin(success, probe, unit);
          scenario.expect(status(HealthStatus.HEALTHY));
        });
  }

  /**
   * Counts failures in CLOSED, OPEN and HALF_OPEN, and with an expired probe. On failure, look for
   * a state in which failures are skipped.
   */
  @Check(value = Rule.BRK_2, needs = CONSECUTIVE_FAILURES)
  void countsFailuresInEveryState(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          scenario.failure();
          scenario.expect(consecutiveFailures(1));
          scenario.failure(); // trips
          scenario.expect(consecutiveFailures(2));
          Call last = scenario.failure();
          scenario.expect(consecutiveFailures(3));
          scenario.success(); // ignored
          scenario.expect(consecutiveFailures(3));
          scenario.expectAfter(last, unit, granted());
          scenario.expect(consecutiveFailures(3));
          last = scenario.failure(); // the probe fails
          scenario.expect(consecutiveFailures(4));
          scenario.expectAfter(last, unit, granted());
          scenario.success(); // applied
          scenario.expect(consecutiveFailures(0));
        });
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
          scenario.pass(probe, 2 * unit);
          scenario.expect(consecutiveFailures(1));
          scenario.success(); // ignored
          scenario.expect(consecutiveFailures(1));
          scenario.failure();
          scenario.expect(consecutiveFailures(2));
        });
  }

  /**
   * Records two failures half a cooldown apart, and asks until the cooldown ends. On failure, look
   * for a cooldown that starts at the first failure or at a refusal.
   */
  @Check(Rule.BRK_3)
  void theCooldownCountsFromTheTrippingFailure(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          scenario.pass(scenario.failure(), unit / 2);
          Call trip = scenario.failure();
          scenario.expectUntil(trip, unit, refused());
          scenario.expectAfter(trip, unit, granted());
        });
  }

  /**
   * Asks until shortly before the end of a short cooldown and of a long one. On failure, look for a
   * wrong unit.
   */
  @Check(Rule.BRK_6)
  void refusesDuringTheCooldown(Bench bench) {
    bench.onTheWallClock(round -> refusesDuring(round, round.unit()));
    bench.onTheWallClock(round -> refusesDuring(round, round.beyondPatience()));
  }

  private static void refusesDuring(Round round, long recovery) {
    WallClockScenario scenario = round.scenario(new Config(1, recovery, NEVER));
    Call trip = scenario.failure();
    scenario.expectUntil(trip, recovery, refused(), available(false), state(CircuitState.OPEN));
  }

  /**
   * Reads the state beyond the cooldown, and then asks the gate. On failure, look for a timer that
   * changes the state.
   */
  @Check(Rule.BRK_7)
  void grantsTheProbeWhenTheCooldownHasElapsed(Bench bench) {
    bench.onTheWallClock(round -> grantsTheProbeAfter(round, round.unit()));
    bench.onTheWallClock(round -> grantsTheProbeAfter(round, round.beyondPatience()));
  }

  private static void grantsTheProbeAfter(Round round, long recovery) {
    WallClockScenario scenario = round.scenario(new Config(1, recovery, NEVER));
    Call trip = scenario.failure();
    scenario.expectThroughout(trip, recovery + round.unit(), state(CircuitState.OPEN));
    scenario.expectSoon(granted());
    scenario.expect(state(CircuitState.HALF_OPEN));
  }

  /**
   * Asks the gate once the oracle says yes. The first call must be the probe. On failure, look for
   * a call that only changes the state and is refused.
   */
  @Check(value = Rule.BRK_7, needs = ORACLE)
  void theFirstCallIsTheProbe(Bench bench) {
    bench.onTheWallClock(
        round -> {
          WallClockScenario scenario = round.scenario(new Config(1, round.unit(), NEVER));
          scenario.expectAfter(scenario.failure(), round.unit(), available(true));
          scenario.expect(granted());
        });
  }

  /** Asks while a probe is out, beyond another cooldown. On failure, look for a second probe. */
  @Check(Rule.BRK_8)
  void grantsOneProbeOnly(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, NEVER));
          Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
          scenario.expectThroughout(
              probe, 2 * unit, refused(), available(false), state(CircuitState.HALF_OPEN));
        });
  }

  /**
   * Races callers for the probe of each tool whose cooldown has elapsed. No tool may grant two. On
   * failure, look for a check and an update that are not one atomic step.
   */
  @Check(value = Rule.BRK_8, racing = true)
  void oneProbeUnderContention(Bench bench) {
    bench.onTheWallClock(round -> oneProbe(bench, round, 16, 100));
    bench.onTheWallClock(round -> oneProbe(bench, round, 2, 1_000));
  }

  private static void oneProbe(Bench bench, Round round, int count, int tools) {
    String story = "OPEN, its cooldown elapsed: " + count + " callers ask the gate at once";
    WallClockScenario scenario = round.scenario(new Config(1, round.unit(), NEVER));
    Subject subject = scenario.subject();
    for (int i = 0; i < tools; i++) {
      subject.recordFailure("tool-" + i, 1);
    }
    scenario.pass(scenario.failure(), round.unit());
    AtomicIntegerArray granted = new AtomicIntegerArray(tools);
    try (Callers callers = bench.callers(count)) {
      callers.rounds(
          story,
          tools,
          (caller, i) -> {
            if (subject.allowRequest("tool-" + i)) {
              granted.incrementAndGet(i);
            }
          });
    }
    for (int i = 0; i < tools; i++) {
      // Zero is fine, because a timer may be late.
      bench.expect(story, "more than one call granted", false, granted.get(i) > 1);
    }
  }

  /**
   * Lets the probe succeed. The breaker must close with a full threshold ahead. On failure, look
   * for failures that survive the recovery.
   */
  @Check(Rule.BRK_9)
  void aProbesSuccessCloses(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(3, unit, NEVER));
          scenario.expectAfter(scenario.failures(5), unit, granted());
          scenario.success();
          scenario.expect(state(CircuitState.CLOSED), consecutiveFailures(0), granted(), granted());
          scenario.failures(2);
          scenario.expect(state(CircuitState.CLOSED), granted());
          Call trip = scenario.failure();
          scenario.expect(state(CircuitState.OPEN));
          scenario.expectWithin(trip, unit, refused());
        });
  }

  /**
   * Lets the probe fail half a cooldown after its grant. The breaker must open for a full cooldown
   * from that failure. On failure, look for an old start of the cooldown.
   */
  @Check(Rule.BRK_10)
  void aProbesFailureOpens(Bench bench) {
    for (int threshold : new int[] {1, 3}) {
      bench.onTheWallClock(
          round -> {
            long unit = round.unit();
            WallClockScenario scenario = round.scenario(new Config(threshold, unit, NEVER));
            Call probe = scenario.expectAfter(scenario.failures(threshold), unit, granted());
            scenario.pass(probe, unit / 2);
            Call failure = scenario.failure();
            scenario.expect(state(CircuitState.OPEN), consecutiveFailures(threshold + 1L));
            scenario.expectUntil(failure, unit, refused(), available(false));
            scenario.expectAfter(failure, unit, granted());
          });
    }
  }

  /**
   * Uses no cooldown. There must still be only one probe at a time. On failure, look for a breaker
   * that skips HALF_OPEN.
   */
  @Check(Rule.BRK_11)
  void recoveryZeroProbesAtOnce(Bench bench) {
    bench.onTheWallClock(
        round -> {
          WallClockScenario scenario = round.scenario(new Config(1, 0, NEVER));
          Call trip = scenario.failure();
          scenario.expectThroughout(trip, round.unit(), state(CircuitState.OPEN));
          scenario.expectSoon(granted());
          scenario.expect(refused(), available(false), state(CircuitState.HALF_OPEN));
          scenario.failure();
          scenario.expectSoon(granted());
          scenario.success();
          scenario.expect(state(CircuitState.CLOSED), granted(), granted());
        });
  }

  /**
   * Plays four rounds of trip, relapse and recovery on one tool. On failure, look for state that
   * survives a round.
   */
  @Check(Rule.BRK_12)
  void laterRoundsAreLikeTheFirst(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          for (int i = 0; i < 4; i++) {
            scenario.failure();
            scenario.expect(state(CircuitState.CLOSED), consecutiveFailures(1), granted());
            Call trip = scenario.failure();
            scenario.expect(state(CircuitState.OPEN));
            scenario.expectUntil(trip, unit, refused());
            scenario.expectAfter(trip, unit, granted());
            scenario.expect(refused());
            Call relapse = scenario.failure();
            scenario.expect(consecutiveFailures(3));
            scenario.expectUntil(relapse, unit, refused());
            scenario.expectAfter(relapse, unit, granted());
            scenario.success();
            scenario.expect(state(CircuitState.CLOSED), granted(), granted());
          }
        });
  }

  /**
   * Grants a probe long after the cooldown. The probe must stay live for its full lease and then
   * show as OPEN. On failure, look for a lease that does not count from the grant.
   */
  @Check(Rule.LEASE_1)
  void aProbeIsLiveUntilItsLeaseEnds(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          Call probe = scenario.expectAfter(scenario.failure(), 3 * unit, granted());
          scenario.expectUntil(probe, unit, state(CircuitState.HALF_OPEN));
          scenario.expectUntil(probe, 2 * unit, refused(), available(false));
          scenario.expectAfter(probe, 2 * unit, granted());
        });
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          Call probe = scenario.expectAfter(scenario.failure(), 3 * unit, granted());
          scenario.pass(probe, unit / 2);
          Call success = scenario.success();
          scenario.requireWithin(success, probe, unit);
          scenario.expect(state(CircuitState.CLOSED), granted(), granted());
        });
  }

  /**
   * Leaves an expired probe unobserved. The cooldown must still count from the end of the lease. On
   * failure, look for a cooldown that starts when somebody notices the expiry.
   */
  @Check(Rule.LEASE_1)
  void anExpiryNeedsNoWitness(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long lease = round.unit();
          long recovery = round.beyondPatience();
          WallClockScenario scenario = round.scenario(new Config(1, recovery, lease));
          Call probe = scenario.expectAfter(scenario.failure(), recovery, granted());
          scenario.expectAfter(probe, lease + recovery, granted());
        });
  }

  /**
   * Uses cooldowns shorter and longer than the lease. On failure, look for a new probe right after
   * the lease.
   */
  @Check(Rule.LEASE_2)
  void anExpiredProbeIsFollowedByACooldown(Bench bench) {
    for (int[] units : new int[][] {{1, 2}, {1, 1}, {2, 1}}) {
      bench.onTheWallClock(
          round -> {
            long recovery = units[0] * round.unit();
            long lease = units[1] * round.unit();
            WallClockScenario scenario = round.scenario(new Config(1, recovery, lease));
            Call probe = scenario.expectAfter(scenario.failure(), recovery, granted());
            scenario.expectUntil(probe, lease + recovery, refused());
            probe = scenario.expectAfter(probe, lease + recovery, granted());
            scenario.expectWithin(probe, lease + recovery, refused(), available(false));
          });
    }
  }

  /**
   * Asks the gate once the oracle says yes after an expired probe. The first call must be the new
   * probe. On failure, look for a call that only notices the expiry and is refused.
   */
  @Check(value = Rule.LEASE_2, needs = ORACLE)
  void theCallThatFindsAnExpiredProbeIsTheNewOne(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
          scenario.expectAfter(probe, 2 * unit, available(true));
          scenario.expect(granted());
        });
  }

  /**
   * Lets the second probe succeed in the second half of its own lease. On failure, look for a grant
   * time that is not updated.
   */
  @Check(Rule.LEASE_3)
  void aNewProbeHasANewLease(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          long lease = 2 * unit;
          WallClockScenario scenario = round.scenario(new Config(1, unit, lease));
          Call first = scenario.expectAfter(scenario.failure(), unit, granted());
          Call second = scenario.expectAfter(first, lease + unit, granted());
          scenario.pass(second, lease / 2 + unit / 4);
          Call success = scenario.success();
          scenario.requireWithin(success, second, lease);
          scenario.expect(state(CircuitState.CLOSED), granted(), granted());
        });
  }

  /**
   * Waits for a probe without a lease. On failure, look for a timeout of 0 that expires at once.
   */
  @Check(Rule.LEASE_4)
  void withoutALeaseAProbeStaysLive(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, 0));
          Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
          scenario.expectThroughout(
              probe, 3 * unit, refused(), available(false), state(CircuitState.HALF_OPEN));
          scenario.success();
          scenario.expect(state(CircuitState.CLOSED), granted(), granted());
        });
  }

  /**
   * Only reads the state, before the end of the lease and long after. On failure, look for an
   * expiry that only a gate call notices.
   */
  @Check(value = Rule.LEASE_5, needs = CIRCUIT_STATE)
  void readsShowAnExpiredProbeAsOpen(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
          scenario.expectUntil(probe, unit, state(CircuitState.HALF_OPEN));
          scenario.expectAfter(probe, unit, state(CircuitState.OPEN));
          scenario.expectThroughout(probe, 3 * unit, state(CircuitState.OPEN));
        });
  }

  /**
   * Records successes during and after the cooldown, before the probe. On failure, look for a
   * success that closes the breaker in every state.
   */
  @Check(Rule.STALE_1)
  void aSuccessWhileOpenIsIgnored(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          Call trip = scenario.failures(2);
          scenario.success();
          scenario.success();
          scenario.expect(state(CircuitState.OPEN), consecutiveFailures(2));
          scenario.expectUntil(trip, unit, refused(), available(false));
          scenario.pass(trip, 2 * unit);
          scenario.success();
          scenario.expect(state(CircuitState.OPEN), consecutiveFailures(2));
          scenario.expectSoon(granted());
          scenario.expect(
              refused(), state(CircuitState.HALF_OPEN)); // so the granted call was the probe
        });
  }

  /**
   * Records a success shortly before the end of the cooldown. If the success restarts the cooldown,
   * the probe comes too late.
   */
  @Check(Rule.STALE_1)
  void aSuccessWhileOpenRestartsNothing(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long recovery = round.beyondPatience();
          WallClockScenario scenario = round.scenario(new Config(1, recovery, NEVER));
          Call trip = scenario.failure();
          scenario.pass(trip, recovery - round.unit());
          scenario.success();
          scenario.expectAfter(trip, recovery, granted());
        });
  }

  /**
   * Records failures during and after the cooldown. Each must start a new cooldown. On failure,
   * look for failures that OPEN ignores.
   */
  @Check(Rule.STALE_2)
  void aFailureWhileOpenRestartsTheCooldown(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          Call trip = scenario.failures(2);
          scenario.pass(trip, unit / 2);
          Call during = scenario.failure();
          scenario.requireWithin(during, trip, unit);
          scenario.expectUntil(during, unit, refused(), available(false));
          scenario.pass(during, unit);
          Call after = scenario.failure();
          scenario.expect(state(CircuitState.OPEN));
          scenario.expectUntil(after, unit, refused(), available(false));
          scenario.expectAfter(after, unit, granted());
        });
  }

  /**
   * Lets the probe succeed after its lease. The cooldown must count from the end of the lease. On
   * failure, look for a success without a check of the lease.
   */
  @Check(Rule.STALE_3)
  void aSuccessAfterTheLeaseDoesNotClose(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long lease = round.unit();
          long recovery = 3 * round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, recovery, lease));
          Call probe = scenario.expectAfter(scenario.failure(), recovery, granted());
          scenario.pass(probe, 2 * lease); // a timer may be late
          scenario.success();
          scenario.expect(state(CircuitState.OPEN), consecutiveFailures(1));
          scenario.expectUntil(probe, lease + recovery, refused(), available(false));
          probe = scenario.expectAfter(probe, lease + recovery, granted());
          scenario.expectWithin(probe, lease + recovery, refused());
        });
  }

  /**
   * Lets an expired probe succeed shortly before the end of the cooldown after its lease. If the
   * success restarts the cooldown, the next probe comes too late.
   */
  @Check(Rule.STALE_3)
  void aSuccessAfterTheLeaseRestartsNothing(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long lease = round.unit();
          long recovery = round.beyondPatience();
          WallClockScenario scenario = round.scenario(new Config(1, recovery, lease));
          Call probe = scenario.expectAfter(scenario.failure(), recovery, granted());
          scenario.pass(probe, lease + recovery - round.unit());
          scenario.success();
          scenario.expectAfter(probe, lease + recovery, granted());
        });
  }

  /**
   * Lets an expired probe fail during the cooldown after its lease, and later. On failure, look for
   * a failure without a check of the lease.
   */
  @Check(Rule.STALE_4)
  void aFailureAfterTheLeaseRestartsTheCooldown(Bench bench) {
    for (int halves : new int[] {1, 3}) {
      bench.onTheWallClock(
          round -> {
            long unit = round.unit();
            WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
            Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
            scenario.pass(probe, unit + halves * unit / 2);
            Call failure = scenario.failure();
            scenario.expect(state(CircuitState.OPEN), consecutiveFailures(2));
            scenario.expectUntil(failure, unit, refused(), available(false));
            scenario.expectAfter(failure, unit, granted());
          });
    }
  }

  /**
   * Records stale successes and failures in turns. None may bring the probe forward. Steps back of
   * the clock are left to subjects with a manual clock, because a real monotonic clock never steps
   * back.
   */
  @Check(Rule.STALE_5)
  void theCooldownNeverStartsEarlier(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          Call trip = scenario.failures(2);
          scenario.success();
          scenario.failure();
          scenario.success();
          Call last = scenario.failure();
          scenario.success();
          scenario.expectUntil(trip, unit, refused(), available(false));
          scenario.expectAfter(last, unit, granted());
        });
  }

  /**
   * Asks the oracle and the gate in each state, away from the boundaries. After a yes of the
   * oracle, the gate must admit the call. On failure, look for a rule that the oracle and the gate
   * implement separately.
   */
  @Check(value = Rule.ORACLE_1, needs = ORACLE)
  void answersAsTheGate(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, NEVER));
          scenario.expect(available(true), granted());
          Call trip = scenario.failure();
          scenario.expectUntil(trip, unit, available(false), refused());
          scenario.expectAfter(trip, unit, available(true));
          scenario.expect(granted(), available(false), refused());
          scenario.success();
          scenario.expect(available(true), granted());
        });
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, unit));
          Call probe = scenario.expectAfter(scenario.failure(), unit, granted());
          scenario.expectUntil(probe, 2 * unit, available(false));
          scenario.expectAfter(probe, 2 * unit, available(true));
          scenario.expect(granted());
        });
  }

  /**
   * Repeats every read in each state. The probe must still be available. On failure, look for a
   * read that takes the probe.
   */
  @Check(Rule.ORACLE_2)
  void readsChangeNothing(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, NEVER));
          Call trip = scenario.failure();
          ask(scenario.tool("unseen"));
          scenario.expect(toolCount(1));
          scenario.tool("search").pass(trip, unit);
          ask(scenario);
          scenario.expectSoon(granted());
          ask(scenario);
          scenario.expect(refused(), state(CircuitState.HALF_OPEN));
        });
    bench.onTheWallClock(
        round -> {
          // Time changes nothing in these states, so all answers must stay the same.
          WallClockScenario scenario = round.scenario(new Config(2, NEVER, NEVER));
          scenario.equal("all reads, repeated", ask(scenario), ask(scenario));
          scenario.failure();
          scenario.equal("all reads, repeated", ask(scenario), ask(scenario));
          scenario.failure();
          scenario.equal("all reads, repeated", ask(scenario), ask(scenario));
        });
  }

  /**
   * Reads an expired probe shortly before the end of the cooldown after its lease. If a read
   * restarts the cooldown, the next probe comes too late.
   */
  @Check(Rule.ORACLE_2)
  void readsOfAnExpiredProbeRestartNothing(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long lease = round.unit();
          long recovery = round.beyondPatience();
          WallClockScenario scenario = round.scenario(new Config(1, recovery, lease));
          Call probe = scenario.expectAfter(scenario.failure(), recovery, granted());
          scenario.pass(probe, lease + recovery - round.unit());
          ask(scenario);
          scenario.expectAfter(probe, lease + recovery, granted());
        });
  }

  private static Object ask(WallClockScenario scenario) {
    for (int i = 0; i < 99; i++) {
      scenario.askEverything();
    }
    return scenario.askEverything();
  }

  /**
   * Changes the configuration between two tools. The old breaker must keep its cooldown, and the
   * new one must have the new threshold and cooldown. On failure, look for a breaker that reads the
   * configuration of the registry.
   */
  @Check(value = Rule.REG_4, needs = RECONFIGURATION)
  void existingBreakersKeepTheirs(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          scenario.tool("old").expect(granted()); // creates the tool
          scenario.configure(new Config(1, NEVER, NEVER));
          scenario.tool("new").failure();
          scenario.expect(state(CircuitState.OPEN), refused());
          scenario.tool("old").failure();
          scenario.expect(state(CircuitState.CLOSED), granted());
          Call trip = scenario.failure();
          scenario.expectUntil(trip, unit, refused());
          scenario.expectAfter(trip, unit, granted());
          scenario.tool("new").expect(refused());
        });
  }

  /**
   * Routes to a primary before and after its cooldown, and during its probe. On failure, look for a
   * route that depends on the state instead of the oracle.
   */
  @Check(value = Rule.ROUTE_1, needs = ROUTING)
  void aPrimaryThatCanBeProbed(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, NEVER)).tool("P");
          scenario.fallbacks("A");
          Call trip = scenario.failure();
          scenario.expectUntil(trip, unit, route("A"));
          scenario.expectAfter(trip, unit, route("P"));
          scenario.expect(granted(), route("A"));
        });
  }

  /**
   * Leaves a tripped fallback alone while the primary is being probed. On failure, look for a
   * fallback that is skipped because an open breaker is UNHEALTHY.
   */
  @Check(value = Rule.ROUTE_3, needs = ROUTING)
  void aFallbackThatCanBeProbed(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, NEVER)).tool("P");
          scenario.fallbacks("A");
          scenario.expectAfter(scenario.failure(), unit, granted());
          Call trip = scenario.tool("A").failure();
          scenario.tool("P").expectUntil(trip, unit, route("P"));
          scenario.expectAfter(trip, unit, route("A"));
          scenario.tool("A").expect(granted());
          scenario.tool("P").expect(route("P"));
        });
  }

  /**
   * Routes many times to a tool that can be probed. The probe must remain available, and no name
   * may be created. On failure, look for a route that asks the gate instead of the oracle.
   */
  @Check(value = Rule.ROUTE_5, needs = ROUTING)
  void routingTakesNoProbe(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(1, unit, NEVER)).tool("P");
          scenario.fallbacks("A", "B");
          scenario.expectAfter(scenario.failure(), unit, route("P"));
          for (int i = 0; i < 20; i++) {
            scenario.expect(route("P"), state(CircuitState.OPEN), toolCount(1));
          }
          scenario.expect(granted(), refused(), route("A"), toolCount(1));
        });
  }

  /**
   * Uses durations of 292 years, which never end, and of a nanosecond, which soon does. On failure,
   * look for an overflow.
   */
  @Check(Rule.BAD_2)
  void durationsOfAnySize(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          for (long forEver : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            WallClockScenario open = round.scenario(new Config(1, forEver, unit));
            WallClockScenario probed = round.scenario(new Config(1, 1, forEver));
            Call trip = open.failure();
            probed.failure();
            probed.expectSoon(granted());
            open.expectThroughout(trip, unit, refused(), available(false));
            probed.expect(refused(), available(false), state(CircuitState.HALF_OPEN));
            open.failure();
            open.expect(refused(), available(false), state(CircuitState.OPEN));
            probed.success();
            probed.expect(granted(), state(CircuitState.CLOSED));
          }
        });
  }
}

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
 * The rules of all chapters that speak of time, for subjects whose clock nobody can set. What the
 * real clock can show is coarser than what the other chapters check: boundaries are seen from some
 * way off, and what is late is seen if it is later than the patience.
 *
 * <p>A check that is about the cooldown has a lease out of reach, so that how it ends is all that
 * time decides.
 */
final class WallClockRules {
  private static final long NEVER = Bench.OUT_OF_REACH;

  /** Outcomes in each state, stale ones included. */
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

  /** An open breaker, a live probe and an expired one, with a score that alone is DEGRADED. */
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

  /** Failures are counted while CLOSED, OPEN, HALF_OPEN and with an expired probe. */
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
          last = scenario.failure(); // the probe's
          scenario.expect(consecutiveFailures(4));
          scenario.expectAfter(last, unit, granted());
          scenario.success(); // heeded
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

  /** The failures came half a cooldown apart; a refused call in between moves nothing. */
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

  /** A short cooldown, and one of seconds, up to shortly before their end. */
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

  /** Time alone changes no state; then the gate is asked. */
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

  /** Once the oracle says yes, the next call is the probe, and not the one after it. */
  @Check(value = Rule.BRK_7, needs = ORACLE)
  void theFirstCallIsTheProbe(Bench bench) {
    bench.onTheWallClock(
        round -> {
          WallClockScenario scenario = round.scenario(new Config(1, round.unit(), NEVER));
          scenario.expectAfter(scenario.failure(), round.unit(), available(true));
          scenario.expect(granted());
        });
  }

  /** While the probe is out everybody else is refused, also after another cooldown. */
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
   * Callers ask tools whose cooldown has elapsed, all of them at once, one tool after the other.
   * None grants two.
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
      // Not one, since a timer may be late.
      bench.expect(story, "more than one granted", false, granted.get(i) > 1);
    }
  }

  /** The probe succeeds: closed, with the whole threshold to go again. */
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

  /** The probe fails half a cooldown after its grant: a whole cooldown from that failure. */
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

  /** Without a cooldown there is still one probe at a time. */
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

  /** Four rounds of both kinds on one tool: trip, relapse, recover. */
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

  /** A probe that was granted long after it could be is live all of its time, and then OPEN. */
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

  /** Nobody looks until long after: the cooldown has counted from the lease's end all the same. */
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

  /** The new cooldown after the lease's end, with cooldowns shorter and longer than the lease. */
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

  /** Once the oracle says yes, the call that finds the probe expired is the new one. */
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

  /** The second probe succeeds in the second half of its own lease. */
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

  /** A probe without a lease is waited for. */
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

  /** Only reads, before the lease's end and long after. */
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

  /** Successes during the cooldown and after it, up to the probe. */
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
          scenario.expect(refused(), state(CircuitState.HALF_OPEN)); // so it was the probe
        });
  }

  /** A success shortly before the cooldown's end: if it starts one, the probe comes too late. */
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

  /** Failures during the cooldown and after it: each starts it anew. */
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

  /** The probe succeeds after its lease's end; the cooldown goes by the lease's end. */
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

  /** The probe succeeds shortly before the cooldown after its lease is over. */
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

  /** The probe fails after its lease's end, during the cooldown after it and later. */
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
   * Results of both kinds come one after the other, and none of them lets a call through earlier.
   * Steps back of the clock, which other subjects are put to, do not concern one that has a
   * monotonic clock of its own.
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

  /** Each state, as far as time leaves no doubt; a yes is followed by the gate's. */
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

  /** Everything is asked over and over in each state, and the probe is still there. */
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
          // Nothing is due in any of these states, so all answers must stay as they are.
          WallClockScenario scenario = round.scenario(new Config(2, NEVER, NEVER));
          scenario.equal("everything asked again", ask(scenario), ask(scenario));
          scenario.failure();
          scenario.equal("everything asked again", ask(scenario), ask(scenario));
          scenario.failure();
          scenario.equal("everything asked again", ask(scenario), ask(scenario));
        });
  }

  /** Reads shortly before the cooldown after an expired lease is over. */
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

  /** An old breaker keeps its cooldown, and a new one has the new threshold and cooldown. */
  @Check(value = Rule.REG_4, needs = RECONFIGURATION)
  void existingBreakersKeepTheirs(Bench bench) {
    bench.onTheWallClock(
        round -> {
          long unit = round.unit();
          WallClockScenario scenario = round.scenario(new Config(2, unit, NEVER));
          scenario.tool("old").expect(granted()); // comes into being
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

  /** A primary whose cooldown has elapsed is available, to be probed; one being probed is not. */
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

  /** A fallback that was tripped and left alone is found again; the primary is being probed. */
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

  /** The probe that a route points to is still there, and no name comes into being. */
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

  /** Durations of 292 years are never over, and one of a nanosecond soon is. */
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

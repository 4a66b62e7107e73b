package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.PERMITS;
import static dev.toolhealth.tck.Capability.STATISTICS;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.script.ManualClock;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The checks of chapter PERMIT: results that are tied to their calls. */
final class PermitRules {
  private static final Config CONFIG = new Config(2, 100, 30);
  private static final int ROUNDS = 20_000;

  /**
   * Requests permits in every state and at each boundary. On failure, look for a permit that
   * follows other rules than the gate, or for a wait that ignores the lease.
   */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS})
  void aPermitIsGrantedAsTheGateDecides(Bench bench) {
    bench
        .scenario(CONFIG)
        .acquired("p")
        .acquired("q")
        .at(10)
        .failures(2)
        .notAcquired("r", 100)
        .at(109)
        .notAcquired("r", 1)
        .at(110)
        .acquired("probe")
        .state(CircuitState.HALF_OPEN)
        .notAcquired("r", 130)
        .refused()
        .at(139)
        .notAcquired("r", 101)
        .at(140)
        .state(CircuitState.OPEN)
        .notAcquired("r", 100)
        .at(239)
        .notAcquired("r", 1)
        .at(240)
        .acquired("probe")
        .refused();
  }

  /**
   * Takes the probe by name and requests a permit, and the reverse. On failure, look for separate
   * probes.
   */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS})
  void permitsAndCallsByNameShareOneProbe(Bench bench) {
    bench.scenario(CONFIG).failures(2).at(100).granted().notAcquired("p", 130);
    bench.scenario(CONFIG).failures(2).at(100).acquired("p").refused();
  }

  /**
   * Reads the wait of refused permits from the trip to the end of a hanging probe. On failure, look
   * for a wait that is negative or leaves out the cooldown after the lease.
   */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS},
      fieldCase = "C01")
  void aRefusalSaysHowLong(Bench bench) {
    bench
        .scenario()
        .failures(3)
        .at(Bench.ms(10_000))
        .notAcquired("p", Bench.ms(20_000))
        .at(Bench.ms(29_999))
        .notAcquired("p", Bench.ms(1))
        .at(Bench.ms(30_000))
        .acquired("probe")
        .at(Bench.ms(45_000))
        .notAcquired("p", Bench.ms(45_000))
        .at(Bench.ms(70_000))
        .notAcquired("p", Bench.ms(20_000));
  }

  /**
   * Requests a permit while a probe without a lease is out. The wait must be {@link
   * Permit#UNBOUNDED}.
   */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS})
  void withoutALeaseARefusalNamesNoTime(Bench bench) {
    bench
        .scenario(new Config(1, 100, 0))
        .failure()
        .at(100)
        .acquired("probe")
        .notAcquired("p", Permit.UNBOUNDED);
  }

  /**
   * Reports slow calls from before the trip, and results by name, while a probe is out. On failure,
   * look for a breaker that compares only its state.
   */
  @Check(
      value = Rule.PERMIT_2,
      needs = {MANUAL_CLOCK, PERMITS})
  void onlyTheProbesPermitDecides(Bench bench) {
    probing(bench)
        .succeeds("slow")
        .state(CircuitState.HALF_OPEN)
        .fails("slower")
        .state(CircuitState.HALF_OPEN)
        .success()
        .state(CircuitState.HALF_OPEN)
        .failure()
        .state(CircuitState.HALF_OPEN)
        .consecutiveFailures(2)
        .refused()
        .counts(2, 4)
        .succeeds("probe")
        .state(CircuitState.CLOSED)
        .consecutiveFailures(0)
        .granted();
    probing(bench)
        .fails("slow")
        .at(105)
        .fails("probe")
        .state(CircuitState.OPEN)
        .consecutiveFailures(3)
        .at(204)
        .refused()
        .at(205)
        .granted();
    probing(bench)
        .at(120)
        .succeeds("slow")
        .fails("slower")
        .at(129)
        .state(CircuitState.HALF_OPEN)
        .at(130) // the lease has not changed
        .state(CircuitState.OPEN)
        .at(229)
        .refused()
        .at(230)
        .granted();
  }

  /**
   * Takes the probe by name and reports permits from before the trip. Only the result by name may
   * decide. On failure, look for a permit that matches a probe without a permit.
   */
  @Check(
      value = Rule.PERMIT_2,
      needs = {MANUAL_CLOCK, PERMITS})
  void aProbeByNameIsDecidedByName(Bench bench) {
    Scenario scenario =
        bench.scenario(CONFIG).acquired("slow").acquired("slower").failures(2).at(100).granted();
    scenario
        .succeeds("slow")
        .fails("slower")
        .state(CircuitState.HALF_OPEN)
        .refused()
        .success()
        .state(CircuitState.CLOSED);
  }

  /**
   * Reports the expired first probe while the second is out. On failure, look for a flag "is a
   * probe" instead of an identity.
   */
  @Check(
      value = Rule.PERMIT_2,
      needs = {MANUAL_CLOCK, PERMITS})
  void anEarlierProbeDoesNotDecide(Bench bench) {
    for (boolean success : new boolean[] {true, false}) {
      Scenario scenario = probing(bench).at(230).acquired("second");
      (success ? scenario.succeeds("probe") : scenario.fails("probe"))
          .state(CircuitState.HALF_OPEN)
          .refused()
          .at(259)
          .state(CircuitState.HALF_OPEN)
          .succeeds("second")
          .state(CircuitState.CLOSED);
    }
  }

  /** Reports a slow call from before the trip during the probe, now with a permit. */
  @Check(
      value = Rule.PERMIT_2,
      needs = {MANUAL_CLOCK, PERMITS},
      fieldCase = "C10")
  void aSlowCallIsNotTakenForTheProbe(Bench bench) {
    Scenario success =
        bench.scenario().acquired("s").failures(3).at(Bench.ms(30_000)).acquired("p");
    success
        .at(Bench.ms(31_000))
        .succeeds("s")
        .state(CircuitState.HALF_OPEN)
        .at(Bench.ms(35_000))
        .fails("p")
        .state(CircuitState.OPEN)
        .at(Bench.ms(64_999))
        .available(false)
        .at(Bench.ms(65_000))
        .available(true);
    Scenario failure =
        bench.scenario().acquired("s").failures(3).at(Bench.ms(30_000)).acquired("p");
    failure
        .at(Bench.ms(31_000))
        .fails("s")
        .state(CircuitState.HALF_OPEN)
        .success() // a ping of the tool
        .state(CircuitState.HALF_OPEN)
        .at(Bench.ms(35_000))
        .succeeds("p")
        .state(CircuitState.CLOSED);
  }

  /**
   * Reports permits from before the trip after the breaker has closed. On failure, look for a check
   * that compares states instead of periods.
   */
  @Check(
      value = Rule.PERMIT_3,
      needs = {MANUAL_CLOCK, PERMITS})
  void aResultFromBeforeTheTripIsIgnoredOnceClosed(Bench bench) {
    probing(bench)
        .succeeds("probe")
        .fails("slow")
        .consecutiveFailures(0)
        .failure()
        .succeeds("slower")
        .consecutiveFailures(1)
        .counts(2, 4)
        .failure()
        .state(CircuitState.OPEN);
    probing(bench).succeeds("probe").failure().fails("slow").state(CircuitState.CLOSED).granted();
  }

  /**
   * Reports an expired probe after the breaker has closed. The expired probe belongs to the earlier
   * period, too.
   */
  @Check(
      value = Rule.PERMIT_3,
      needs = {MANUAL_CLOCK, PERMITS})
  void anEarlierProbeIsIgnoredOnceClosed(Bench bench) {
    probing(bench)
        .at(230)
        .acquired("second")
        .succeeds("second")
        .failure()
        .succeeds("probe")
        .consecutiveFailures(1)
        .failure()
        .state(CircuitState.OPEN);
  }

  /**
   * Reports permits of the current period. Every result must be applied. On failure, look for a
   * period that changes without a trip.
   */
  @Check(
      value = Rule.PERMIT_3,
      needs = {MANUAL_CLOCK, PERMITS})
  void aResultOfThisPeriodIsHeeded(Bench bench) {
    bench
        .scenario(CONFIG)
        .acquired("a")
        .acquired("b")
        .acquired("c")
        .acquired("d")
        .fails("a")
        .consecutiveFailures(1)
        .succeeds("b")
        .consecutiveFailures(0)
        .fails("c")
        .state(CircuitState.CLOSED)
        .fails("d")
        .state(CircuitState.OPEN)
        .refused()
        .counts(1, 3);
    probing(bench)
        .succeeds("probe")
        .acquired("a")
        .acquired("b")
        .fails("a")
        .fails("b")
        .state(CircuitState.OPEN);
  }

  /**
   * Reports permits while the breaker is open. The age of a result must not matter (STALE-1,
   * STALE-2). On failure, look for stale permits that are ignored in every state.
   */
  @Check(
      value = Rule.PERMIT_3,
      needs = {MANUAL_CLOCK, PERMITS})
  void whileOpenPermitsAreHeededAsCallsByName(Bench bench) {
    bench
        .scenario(CONFIG)
        .acquired("slow")
        .acquired("slower")
        .failures(2)
        .at(50)
        .succeeds("slow")
        .state(CircuitState.OPEN)
        .consecutiveFailures(2)
        .at(60)
        .fails("slower")
        .consecutiveFailures(3)
        .at(159)
        .refused()
        .at(160)
        .granted();
    // An expired probe reports during the cooldown after its lease.
    probing(bench)
        .at(150)
        .fails("probe")
        .state(CircuitState.OPEN)
        .at(249)
        .refused()
        .at(250)
        .granted();
    probing(bench).at(150).succeeds("probe").at(229).refused().at(230).granted();
  }

  /**
   * Cancels the probe. The next caller must be granted a probe with its own lease. On failure, look
   * for a slot that stays taken.
   */
  @Check(
      value = Rule.PERMIT_4,
      needs = {MANUAL_CLOCK, PERMITS})
  void aCancelledProbeGivesItsSlotBack(Bench bench) {
    probing(bench)
        .at(110)
        .cancels("probe")
        .state(CircuitState.OPEN)
        .consecutiveFailures(2)
        .counts(0, 2)
        .ewma(490_000)
        .available(true)
        .acquired("next")
        .state(CircuitState.HALF_OPEN)
        .refused()
        .at(139) // its lease is its own
        .state(CircuitState.HALF_OPEN)
        .succeeds("next")
        .state(CircuitState.CLOSED);
  }

  /**
   * Cancels the probe and then waits, or records an outcome by name. On failure, look for a breaker
   * that stays HALF_OPEN or closes.
   */
  @Check(
      value = Rule.PERMIT_4,
      needs = {MANUAL_CLOCK, PERMITS})
  void afterACancelledProbeTheBreakerIsOpen(Bench bench) {
    probing(bench).cancels("probe").at(9_999).state(CircuitState.OPEN).available(true).granted();
    probing(bench)
        .at(110)
        .cancels("probe")
        .failure()
        .available(false)
        .at(209)
        .refused()
        .at(210)
        .granted();
    probing(bench).cancels("probe").success().state(CircuitState.OPEN).granted();
  }

  /**
   * Cancels permits of this and earlier periods in every state, an expired probe, and a refused
   * permit. On failure, look for a cancellation that checks only the state.
   */
  @Check(
      value = Rule.PERMIT_4,
      needs = {MANUAL_CLOCK, PERMITS})
  void cancellingAnyOtherPermitChangesNothing(Bench bench) {
    bench
        .scenario(CONFIG)
        .acquired("a")
        .failure()
        .cancels("a")
        .consecutiveFailures(1)
        .counts(0, 1)
        .failure()
        .state(CircuitState.OPEN);
    probing(bench)
        .cancels("slow")
        .state(CircuitState.HALF_OPEN)
        .refused()
        .succeeds("probe")
        .cancels("slower")
        .state(CircuitState.CLOSED);
    bench
        .scenario(CONFIG)
        .acquired("slow")
        .failures(2)
        .at(50)
        .cancels("slow")
        .state(CircuitState.OPEN)
        .at(99)
        .refused()
        .at(100)
        .granted();
    probing(bench).at(130).cancels("probe").refused().at(229).refused().at(230).granted();
    probing(bench).at(230).acquired("second").cancels("probe").state(CircuitState.HALF_OPEN);
    bench.scenario(CONFIG).failures(2).notAcquired("r", 100).cancels("r").refused();
  }

  /**
   * Cancels the probe, as a user who presses stop does. On failure, look for a breaker that stays
   * HALF_OPEN.
   */
  @Check(
      value = Rule.PERMIT_4,
      needs = {MANUAL_CLOCK, PERMITS},
      fieldCase = "C14")
  void aProbeThatItsCallerCancels(Bench bench) {
    bench
        .scenario()
        .failures(3)
        .at(Bench.ms(30_000))
        .acquired("first")
        .at(Bench.ms(30_100))
        .fails("first")
        .at(Bench.ms(60_099))
        .available(false)
        .at(Bench.ms(60_100))
        .acquired("second")
        .at(Bench.ms(60_200))
        .cancels("second")
        .available(true)
        .granted();
  }

  /**
   * Makes every pair of reports, in CLOSED and as a probe. On failure, look for a report without an
   * atomic "has reported" flag.
   */
  @Check(
      value = Rule.PERMIT_5,
      needs = {MANUAL_CLOCK, PERMITS})
  void aSecondReportChangesNothing(Bench bench) {
    bench
        .scenario(new Config(3, 100, 30))
        .acquired("p")
        .fails("p")
        .fails("p")
        .succeeds("p")
        .cancels("p")
        .closes("p")
        .consecutiveFailures(1)
        .counts(0, 1)
        .acquired("q")
        .cancels("q")
        .succeeds("q")
        .fails("q")
        .consecutiveFailures(1)
        .counts(0, 1)
        .acquired("r")
        .succeeds("r")
        .failure()
        .succeeds("r")
        .consecutiveFailures(1)
        .counts(1, 2);
    probing(bench)
        .succeeds("probe")
        .fails("probe")
        .state(CircuitState.CLOSED)
        .consecutiveFailures(0);
    probing(bench).fails("probe").succeeds("probe").state(CircuitState.OPEN).refused();
    probing(bench).fails("probe").cancels("probe").refused();
    probing(bench)
        .cancels("probe")
        .acquired("next")
        .succeeds("probe")
        .state(CircuitState.HALF_OPEN)
        .cancels("probe")
        .refused();
    probing(bench).cancels("probe").fails("probe").available(true).counts(0, 2).granted();
  }

  /**
   * Reports the same call from a watchdog and from the call itself. On failure, look for an outcome
   * that is counted twice.
   */
  @Check(
      value = Rule.PERMIT_5,
      needs = {MANUAL_CLOCK, PERMITS},
      fieldCase = "C12")
  void aWatchdogAndItsCallBothReport(Bench bench) {
    bench
        .scenario()
        .acquired("a")
        .acquired("b")
        .at(Bench.ms(1_000))
        .fails("a")
        .fails("b")
        .at(Bench.ms(2_000))
        .fails("a")
        .fails("b")
        .counts(0, 2)
        .consecutiveFailures(2)
        .ewma(490_000)
        .state(CircuitState.CLOSED)
        .at(Bench.ms(3_000))
        .succeeds("a")
        .counts(0, 2)
        .consecutiveFailures(2);
  }

  /**
   * Closes permits with and without a report. On failure, look for a close that undoes a report.
   */
  @Check(
      value = Rule.PERMIT_5,
      needs = {MANUAL_CLOCK, PERMITS})
  void closingCancelsWhatHasNotReported(Bench bench) {
    probing(bench).closes("probe").state(CircuitState.OPEN).counts(0, 2).granted();
    probing(bench).fails("probe").closes("probe").refused();
    probing(bench).succeeds("probe").closes("probe").state(CircuitState.CLOSED);
    probing(bench).closes("slow").refused().succeeds("slow").counts(0, 2);
    bench.scenario(CONFIG).acquired("p").closes("p").fails("p").counts(0, 0);
  }

  /**
   * Races a permit against a call by name for one probe. On failure, look for a check and an update
   * that are not one atomic step.
   */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS},
      racing = true)
  void permitsAndCallsByNameRaceForOneProbe(Bench bench) {
    String story = "OPEN, its cooldown elapsed: one caller requests a permit, one asks by name";
    ManualClock clock = new ManualClock(0);
    Subject subject = bench.adapter().create(new Config(1, 100, 0), clock);
    for (int i = 0; i < ROUNDS; i++) {
      subject.recordFailure("tool-" + i, 1);
    }
    clock.setElapsed(100);
    AtomicIntegerArray granted = new AtomicIntegerArray(ROUNDS);
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          ROUNDS,
          (caller, i) -> {
            String tool = "tool-" + i;
            boolean goes =
                caller == 0 ? subject.tryAcquire(tool).isGranted() : subject.allowRequest(tool);
            granted.addAndGet(i, goes ? 1 : 0);
          });
    }
    for (int i = 0; i < ROUNDS; i++) {
      bench.expect(story, "probes granted", 1, granted.get(i));
    }
  }

  /**
   * Races two reports of the same permit. On failure, look for a "has reported" flag that is not
   * updated atomically.
   */
  @Check(
      value = Rule.PERMIT_5,
      needs = {MANUAL_CLOCK, PERMITS, STATISTICS},
      racing = true)
  void oneOfTwoReportsCounts(Bench bench) {
    String story = "CLOSED: two callers report on the same permit at the same instant";
    Subject subject = bench.adapter().create(new Config(0, 100, 0), () -> 0);
    List<Permit> permits = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      permits.add(subject.tryAcquire("search"));
    }
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          ROUNDS,
          (caller, i) -> {
            if (caller == 0) {
              permits.get(i).success(1);
            } else {
              permits.get(i).failure(1);
            }
          });
    }
    bench.expect(story, "outcomes counted", (long) ROUNDS, subject.statistics("search").total());
  }

  /** Returns a scenario with two slow calls out, a trip at 0 ns, and a probe granted at 100 ns. */
  private static Scenario probing(Bench bench) {
    return bench
        .scenario(CONFIG)
        .acquired("slow")
        .acquired("slower")
        .failures(2)
        .at(100)
        .acquired("probe");
  }
}

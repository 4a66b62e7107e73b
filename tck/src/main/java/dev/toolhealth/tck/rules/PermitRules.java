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

/** Chapter PERMIT: results that are tied to the calls that they are of. */
final class PermitRules {
  private static final Config CONFIG = new Config(2, 100, 30);
  private static final int ROUNDS = 20_000;

  /** In every state, and at the instants between them. */
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

  /** A probe by name keeps others from a permit, and the other way round. */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS})
  void permitsAndCallsByNameShareOneProbe(Bench bench) {
    bench.scenario(CONFIG).failures(2).at(100).granted().notAcquired("p", 130);
    bench.scenario(CONFIG).failures(2).at(100).acquired("p").refused();
  }

  /** What a refusal says, from the trip to the end of a probe that hangs; it is never negative. */
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

  /** A probe without a lease is waited for, and nobody can say how long. */
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

  /** Slow calls from before the trip, calls without a permit, and an earlier probe report. */
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
        .at(130) // the lease is as long as it was
        .state(CircuitState.OPEN)
        .at(229)
        .refused()
        .at(230)
        .granted();
  }

  /** A probe that was let through by name is decided by name, and by no permit. */
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

  /** The first probe comes back while the second is out. */
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

  /** The overhanging call of the field, with a permit this time. */
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
        .success() // somebody pings the tool
        .state(CircuitState.HALF_OPEN)
        .at(Bench.ms(35_000))
        .succeeds("p")
        .state(CircuitState.CLOSED);
  }

  /** Results of the period before neither end nor lengthen a run of this one. */
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

  /** A probe that came back too late belongs to the time before, too. */
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

  /** Of calls that this period has let through, every result is heeded. */
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

  /** While OPEN it makes no difference how old a result is. */
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
    // A probe whose lease has run out, within its cooldown.
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

  /** The slot is free at once, for whoever comes next. */
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

  /** Nobody asks for long, or a failure comes first. */
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

  /** Permits of this period and of earlier ones, in every state; and a probe that is too late. */
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

  /** Whoever presses stop while the probe is out must not wedge the breaker. */
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

  /** Every report after every other, in CLOSED and of a probe. */
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

  /** The watchdog and the call itself both report. */
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

  /** With a report before it a close does nothing; without one it cancels. */
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

  /** One caller asks by permit and the other by name. */
  @Check(
      value = Rule.PERMIT_1,
      needs = {MANUAL_CLOCK, PERMITS},
      racing = true)
  void permitsAndCallsByNameRaceForOneProbe(Bench bench) {
    String story =
        "OPEN, its cooldown elapsed: one caller asks for a permit, one by name, at the same instant";
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

  /** A watchdog and the call that it watches report at once, so that the probe decides once. */
  @Check(
      value = Rule.PERMIT_5,
      needs = {MANUAL_CLOCK, PERMITS, STATISTICS},
      racing = true)
  void oneOfTwoReportsCounts(Bench bench) {
    String story = "CLOSED: two callers report by the same permit at the same instant";
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

  /** Two slow calls are out, the breaker has tripped at 0, and the probe was granted at 100. */
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

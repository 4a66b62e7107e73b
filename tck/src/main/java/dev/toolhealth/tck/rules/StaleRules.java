package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Rule;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/** Chapter STALE: results of calls that were let through in another state. */
final class StaleRules {
  private static final Config CONFIG = new Config(2, 100, 30);

  /** Successes during the cooldown and after it, up to the probe. */
  @Check(value = Rule.STALE_1, needs = MANUAL_CLOCK)
  void aSuccessWhileOpenIsIgnored(Bench bench) {
    bench
        .scenario(CONFIG)
        .at(10)
        .failures(2)
        .success()
        .state(CircuitState.OPEN)
        .consecutiveFailures(2)
        .refused()
        .at(60)
        .success()
        .state(CircuitState.OPEN)
        .at(109)
        .success()
        .available(false)
        .refused()
        .at(110)
        .success()
        .state(CircuitState.OPEN)
        .consecutiveFailures(2)
        .available(true)
        .granted()
        .state(CircuitState.HALF_OPEN);
  }

  /** Failures during the cooldown and after it: each starts it anew. */
  @Check(value = Rule.STALE_2, needs = MANUAL_CLOCK)
  void aFailureWhileOpenRestartsTheCooldown(Bench bench) {
    bench
        .scenario(CONFIG)
        .failures(2)
        .at(60)
        .failure()
        .state(CircuitState.OPEN)
        .at(100) // the first cooldown's end
        .refused()
        .at(159)
        .available(false)
        .refused()
        .at(160)
        .available(true)
        .failure() // after its end, before any probe
        .available(false)
        .refused()
        .at(259)
        .refused()
        .at(260)
        .granted();
  }

  /** The probe succeeds at its lease's end and later; the cooldown goes by the lease's end. */
  @Check(value = Rule.STALE_3, needs = MANUAL_CLOCK)
  void aSuccessAfterTheLeaseDoesNotClose(Bench bench) {
    for (long late : new long[] {0, 1, 50, 99}) {
      bench
          .scenario(CONFIG)
          .failures(2)
          .at(100)
          .granted()
          .at(130 + late)
          .success()
          .state(CircuitState.OPEN)
          .consecutiveFailures(2)
          .available(false)
          .refused()
          .at(229)
          .available(false)
          .refused()
          .at(230)
          .available(true)
          .granted();
    }
  }

  /** The probe fails at its lease's end and later; the cooldown goes by that failure. */
  @Check(value = Rule.STALE_4, needs = MANUAL_CLOCK)
  void aFailureAfterTheLeaseRestartsTheCooldown(Bench bench) {
    for (long late : new long[] {0, 1, 50, 99, 100, 5_000}) {
      bench
          .scenario(CONFIG)
          .failures(2)
          .at(100)
          .granted()
          .at(130 + late)
          .failure()
          .state(CircuitState.OPEN)
          .consecutiveFailures(3)
          .available(false)
          .refused()
          .at(130 + late + 99)
          .available(false)
          .refused()
          .at(130 + late + 100)
          .available(true)
          .granted();
    }
  }

  /**
   * The clock steps back while the breaker is open, and a failure comes: the cooldown counts from
   * where it was. With a clock that keeps its promise this can only happen to a subject that reads
   * the clock before the state.
   */
  @Check(value = Rule.STALE_5, needs = MANUAL_CLOCK)
  void theCooldownNeverStartsEarlier(Bench bench) {
    bench
        .scenario(CONFIG)
        .at(1_000)
        .failures(2)
        .at(400)
        .failure()
        .at(500)
        .refused()
        .at(1_099)
        .available(false)
        .refused()
        .at(1_100)
        .available(true)
        .granted();
  }

  /**
   * Two callers record failures of an open breaker at the same instant, on a clock that ticks at
   * each look. The cooldown counts from the later one, or from after it. If this fails, look for a
   * time that is read before the state it is compared with.
   */
  @Check(value = Rule.STALE_5, needs = MANUAL_CLOCK, racing = true)
  void theLaterOfTwoFailuresCounts(Bench bench) {
    String story = "OPEN: 2 callers record a failure at the same instant, while the clock ticks";
    int rounds = 20_000;
    long recovery = 1L << 40;
    AtomicLong clock = new AtomicLong();
    AtomicBoolean ticking = new AtomicBoolean(true);
    LongSupplier ticks = () -> ticking.get() ? clock.incrementAndGet() : clock.get();
    Subject subject = bench.adapter().create(new Config(1, recovery, 0), ticks);
    AtomicLongArray later = new AtomicLongArray(rounds);
    for (int i = 0; i < rounds; i++) {
      subject.recordFailure("tool-" + i, 1);
    }
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          rounds,
          (caller, i) -> {
            later.accumulateAndGet(i, clock.get(), Math::max);
            subject.recordFailure("tool-" + i, 1);
          });
    }
    ticking.set(false);
    for (int i = 0; i < rounds; i++) {
      clock.set(later.get(i) + recovery - 1);
      bench.expect(
          story,
          "granted before the later one's cooldown",
          false,
          subject.allowRequest("tool-" + i));
    }
  }

  /** Calls that were under way at the trip fail one by one: the cooldown ends after the last. */
  @Check(value = Rule.STALE_2, needs = MANUAL_CLOCK, fieldCase = "C08")
  void failuresThatArriveWhileOpen(Bench bench) {
    bench
        .scenario()
        .granted()
        .granted()
        .granted()
        .granted()
        .granted()
        .granted()
        .at(Bench.ms(1_000))
        .failure()
        .at(Bench.ms(2_000))
        .failure()
        .at(Bench.ms(3_000))
        .failure()
        .at(Bench.ms(20_000))
        .failure()
        .at(Bench.ms(33_000))
        .available(false)
        .at(Bench.ms(45_000))
        .failure()
        .at(Bench.ms(46_000))
        .success()
        .at(Bench.ms(49_999))
        .available(false)
        .at(Bench.ms(50_000))
        .available(false)
        .at(Bench.ms(74_999))
        .available(false)
        .refused()
        .at(Bench.ms(75_000))
        .available(true)
        .granted();
  }

  /** A call let through before the trip succeeds during the cooldown. */
  @Check(value = Rule.STALE_1, needs = MANUAL_CLOCK, fieldCase = "C10")
  void aSlowCallFromBeforeTheTrip(Bench bench) {
    bench
        .scenario()
        .granted()
        .failures(3)
        .at(Bench.ms(10_000))
        .success()
        .state(CircuitState.OPEN)
        .at(Bench.ms(29_999))
        .available(false)
        .refused()
        .at(Bench.ms(30_000))
        .granted();
  }

  /**
   * By name alone the breaker takes it for the probe's: that is what BRK-9 says, and all it can.
   */
  @Check(value = Rule.BRK_9, needs = MANUAL_CLOCK, fieldCase = "C10")
  void aSlowCallDuringTheProbe(Bench bench) {
    bench
        .scenario()
        .granted()
        .failures(3)
        .at(Bench.ms(30_000))
        .granted()
        .at(Bench.ms(31_000))
        .success()
        .state(CircuitState.CLOSED)
        .at(Bench.ms(35_000))
        .failure()
        .state(CircuitState.CLOSED)
        .consecutiveFailures(1)
        .granted();
  }
}

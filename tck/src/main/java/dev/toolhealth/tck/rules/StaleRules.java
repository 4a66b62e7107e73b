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

/** The checks of chapter STALE: results of calls from another state. */
final class StaleRules {
  private static final Config CONFIG = new Config(2, 100, 30);

  /**
   * Records successes during and after the cooldown, before the probe. On failure, look for a
   * success that closes the breaker or resets the count in every state.
   */
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

  /**
   * Records failures during and after the cooldown. Each must start a new cooldown. On failure,
   * look for failures ignored in OPEN.
   */
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

  /**
   * Lets the probe succeed at or after the end of the lease. The cooldown must count from the end
   * of the lease. On failure, look for a success without a check of the lease.
   */
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

  /**
   * Lets the probe fail at the end of its lease and later. The cooldown must count from that
   * failure. On failure, look for a failure without a check of the lease.
   */
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
   * Steps the clock back while the breaker is open and records a failure. The start of the cooldown
   * must not move back. On a monotonic clock this happens only if the clock is read before the
   * state.
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
   * Races two failures of an open breaker on a clock that ticks at each read. The cooldown must
   * count from the later failure or after it. On failure, look for a clock read before the state.
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
          "granted before the end of the later cooldown",
          false,
          subject.allowRequest("tool-" + i));
    }
  }

  /**
   * Lets calls that were under way at the trip fail one by one. The cooldown must end after the
   * last failure.
   */
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

  /**
   * Lets a call from before the trip succeed during the cooldown. On failure, look for a success
   * that closes an open breaker.
   */
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
   * Lets a call from before the trip succeed while a probe is out. By name alone, the breaker must
   * take this success for the result of the probe (BRK-9).
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

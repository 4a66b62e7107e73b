package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.CIRCUIT_STATE;
import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;

/** The checks of chapter LEASE: probes without a report. */
final class LeaseRules {
  private static final long S30 = Bench.seconds(30);

  /**
   * Looks one nanosecond before, at and after the end of a lease, for several lengths. On failure,
   * look for rounding, or for > instead of >=.
   */
  @Check(value = Rule.LEASE_1, needs = MANUAL_CLOCK)
  void aProbeIsLiveUntilItsLeaseEnds(Bench bench) {
    for (long lease : new long[] {1, 2, 999, 1_500_000, S30}) {
      for (long late : new long[] {0, 1, 5}) {
        long end = 20 + lease;
        bench
            .scenario(new Config(1, 10, lease))
            .failure()
            .at(20)
            .granted()
            .at(end - 1)
            .state(CircuitState.HALF_OPEN)
            .refused()
            .at(end + late)
            .state(CircuitState.OPEN)
            .available(false)
            .refused()
            .at(end + 9)
            .refused()
            .at(end + 10)
            .granted();
        // The last result that is in time, and the first that is not.
        bench
            .scenario(new Config(1, 10, lease))
            .failure()
            .at(20)
            .granted()
            .at(end - 1)
            .success()
            .state(CircuitState.CLOSED)
            .granted();
        bench
            .scenario(new Config(1, 10, lease))
            .failure()
            .at(20)
            .granted()
            .at(end)
            .success()
            .state(CircuitState.OPEN)
            .refused();
      }
    }
  }

  /**
   * Leaves an expired probe unobserved. The cooldown must still count from the end of the lease. On
   * failure, look for a cooldown counted from the moment somebody notices the expiry.
   */
  @Check(value = Rule.LEASE_1, needs = MANUAL_CLOCK)
  void anExpiryNeedsNoWitness(Bench bench) {
    Config config = new Config(1, 10, 30);
    bench.scenario(config).failure().at(10).granted().at(49).refused();
    bench.scenario(config).failure().at(10).granted().at(50).granted().refused();
    bench.scenario(config).failure().at(10).granted().at(50).available(true);
    bench.scenario(config).failure().at(10).granted().at(9_999).available(true).granted();
  }

  /**
   * Uses cooldowns shorter and longer than the lease. On failure, look for a new probe right after
   * the lease.
   */
  @Check(value = Rule.LEASE_2, needs = MANUAL_CLOCK)
  void anExpiredProbeIsFollowedByACooldown(Bench bench) {
    for (long recovery : new long[] {1, 29, 30, 31, 500}) {
      long grant = 1_000;
      long end = grant + 30 + recovery;
      bench
          .scenario(new Config(1, recovery, 30))
          .failure()
          .at(grant)
          .granted()
          .at(grant + 30)
          .refused()
          .at(end - 1)
          .available(false)
          .refused()
          .at(end)
          .available(true)
          .granted()
          .state(CircuitState.HALF_OPEN)
          .refused();
      bench.scenario(new Config(1, recovery, 30)).failure().at(grant).granted().at(end).granted();
    }
  }

  /**
   * Checks the lease of a second probe, which must be as long as the first and count from the
   * second grant. On failure, look for an old grant time.
   */
  @Check(value = Rule.LEASE_3, needs = MANUAL_CLOCK)
  void aNewProbeHasANewLease(Bench bench) {
    Config config = new Config(1, 10, 30);
    bench
        .scenario(config)
        .failure()
        .at(10)
        .granted()
        .at(50)
        .granted()
        .at(79)
        .state(CircuitState.HALF_OPEN)
        .refused()
        .success()
        .state(CircuitState.CLOSED);
    bench
        .scenario(config)
        .failure()
        .at(10)
        .granted()
        .at(39)
        .failure() // one nanosecond before the lease's end
        .at(49)
        .granted()
        .at(78)
        .refused()
        .state(CircuitState.HALF_OPEN)
        .at(79)
        .state(CircuitState.OPEN)
        .at(88)
        .refused()
        .at(89)
        .granted();
  }

  /**
   * Waits up to a year for a probe without a lease. On failure, look for a timeout of 0 expiring at
   * once.
   */
  @Check(value = Rule.LEASE_4, needs = MANUAL_CLOCK)
  void withoutALeaseAProbeStaysLive(Bench bench) {
    for (long later : new long[] {10, 11, 20, Bench.seconds(3_600L * 24 * 365)}) {
      bench
          .scenario(new Config(1, 10, 0))
          .failure()
          .at(10)
          .granted()
          .at(later)
          .state(CircuitState.HALF_OPEN)
          .available(false)
          .refused()
          .success()
          .state(CircuitState.CLOSED)
          .granted();
      bench
          .scenario(new Config(1, 10, 0))
          .failure()
          .at(10)
          .granted()
          .at(later)
          .failure()
          .state(CircuitState.OPEN)
          .at(later + 9)
          .refused()
          .at(later + 10)
          .granted();
    }
  }

  /** Uses no cooldown and no lease. The probe must stay live until its result arrives. */
  @Check(value = Rule.LEASE_4, needs = MANUAL_CLOCK, fieldCase = "C18c")
  void noCooldownAndNoLease(Bench bench) {
    bench
        .scenario(new Config(1, 0, 0))
        .at(Bench.ms(500))
        .failure()
        .granted()
        .at(Bench.ms(1_000_000_000))
        .available(false)
        .refused()
        .success()
        .state(CircuitState.CLOSED);
  }

  /**
   * Only reads the state, before, at and long after the end of the lease. On failure, look for an
   * expiry handled only by the gate.
   */
  @Check(
      value = Rule.LEASE_5,
      needs = {CIRCUIT_STATE, MANUAL_CLOCK})
  void readsShowAnExpiredProbeAsOpen(Bench bench) {
    bench
        .scenario(new Config(1, 10, 30))
        .failure()
        .at(10)
        .granted()
        .at(39)
        .state(CircuitState.HALF_OPEN)
        .at(40)
        .state(CircuitState.OPEN)
        .at(49)
        .state(CircuitState.OPEN)
        .at(50)
        .state(CircuitState.OPEN)
        .at(1_000)
        .state(CircuitState.OPEN);
  }

  /**
   * Lets the probe hang, without any other call until its cooldown has elapsed. On failure, look
   * for a breaker stuck in HALF_OPEN.
   */
  @Check(value = Rule.LEASE_1, needs = MANUAL_CLOCK, fieldCase = "C01")
  void aProbeThatNeverReports(Bench bench) {
    hangingProbe(bench)
        .refused()
        .at(Bench.ms(59_999))
        .refused()
        .at(Bench.ms(60_000))
        .available(false)
        .at(Bench.ms(89_999))
        .available(false)
        .at(Bench.ms(90_000))
        .available(true);
    hangingProbe(bench)
        .at(Bench.ms(200_000))
        .available(true)
        .granted()
        .refused()
        .at(Bench.ms(229_999))
        .state(CircuitState.HALF_OPEN)
        .at(Bench.ms(230_000))
        .state(CircuitState.OPEN);
  }

  /**
   * Lets the hanging probe succeed after its lease. On failure, look for a success without a check
   * of the lease.
   */
  @Check(value = Rule.STALE_3, needs = MANUAL_CLOCK, fieldCase = "C01")
  void aLateSuccessOfTheProbe(Bench bench) {
    hangingProbe(bench)
        .at(Bench.ms(95_000))
        .success()
        .state(CircuitState.OPEN)
        .available(true)
        .granted()
        .state(CircuitState.HALF_OPEN)
        .refused()
        .counts(1, 3)
        .ewma(540_100);
  }

  /**
   * Lets the hanging probe fail during the cooldown after its lease, and after that cooldown. On
   * failure, look for a failure without a new cooldown.
   */
  @Check(value = Rule.STALE_4, needs = MANUAL_CLOCK, fieldCase = "C01")
  void aLateFailureOfTheProbe(Bench bench) {
    hangingProbe(bench)
        .at(Bench.ms(75_000))
        .failure()
        .at(Bench.ms(104_999))
        .available(false)
        .refused()
        .at(Bench.ms(105_000))
        .available(true)
        .granted();
    hangingProbe(bench)
        .at(Bench.ms(95_000))
        .failure()
        .at(Bench.ms(124_999))
        .available(false)
        .refused()
        .at(Bench.ms(125_000))
        .available(true)
        .granted();
  }

  private static Scenario hangingProbe(Bench bench) {
    return bench
        .scenario()
        .failures(3)
        .at(Bench.ms(29_999))
        .available(false)
        .refused()
        .at(Bench.ms(30_000))
        .available(true)
        .granted();
  }
}

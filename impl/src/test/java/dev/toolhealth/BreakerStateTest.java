package dev.toolhealth;

import static dev.toolhealth.CircuitState.CLOSED;
import static dev.toolhealth.CircuitState.HALF_OPEN;
import static dev.toolhealth.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.BreakerState.Closed;
import dev.toolhealth.BreakerState.HalfOpen;
import dev.toolhealth.BreakerState.Open;
import dev.toolhealth.BreakerState.Tripped;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state machine, row by row: a cooldown of 100 and a lease of 30, three failures to trip. */
class BreakerStateTest {
  private static final CircuitBreakerConfig CONFIG = config(3, 100, 30);

  private static CircuitBreakerConfig config(int threshold, long recovery, long lease) {
    return CircuitBreakerConfig.defaults()
        .withFailureThreshold(threshold)
        .withRecoveryDuration(Duration.ofNanos(recovery))
        .withProbeTimeout(Duration.ofNanos(lease));
  }

  @Test
  void closedCountsFailuresAndStopsAtTheThreshold() {
    Closed closed = new Closed(4);
    for (int failures = 1; failures < 3; failures++) {
      assertThat(closed.countFailure(CONFIG)).isTrue();
      assertThat(closed.consecutiveFailures()).isEqualTo(failures);
      assertThat(closed.hasStopped()).isFalse();
    }
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.hasStopped()).isTrue();
    assertThat(closed.opened(7)).isEqualTo(new Open(7, 3, 5));
  }

  @Test
  void aCountThatHasStoppedIsClosedWithoutTheLastFailureAndStaysSo() {
    Closed closed = new Closed(4);
    for (int i = 0; i < 3; i++) {
      assertThat(closed.countFailure(CONFIG)).isTrue();
    }
    assertThat(closed.countFailure(CONFIG)).isFalse();
    assertThat(closed.endRun()).isFalse();
    assertThat(closed.label()).isEqualTo(CLOSED);
    assertThat(closed.admits(CONFIG, 7)).isTrue();
    assertThat(closed.consecutiveFailures()).isEqualTo(2);
    assertThat(closed.opened(7)).isEqualTo(new Open(7, 3, 5));
  }

  @Test
  void aSuccessEndsTheRun() {
    Closed closed = new Closed(4);
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.endRun()).isTrue();
    assertThat(closed.consecutiveFailures()).isZero();
    assertThat(closed.endRun()).isTrue();
    assertThat(closed.consecutiveFailures()).isZero();
  }

  @Test
  void thresholdZeroNeverTrips() {
    Closed closed = new Closed(4);
    for (int failures = 1; failures <= 1_000; failures++) {
      assertThat(closed.countFailure(config(0, 100, 30))).isTrue();
    }
    assertThat(closed.hasStopped()).isFalse();
    assertThat(closed.consecutiveFailures()).isEqualTo(1_000);
  }

  @Test
  void openIgnoresSuccessesAndRestartsOnFailures() {
    Open open = new Open(7, 3, 5);
    assertThat(open.afterSuccess(null)).isSameAs(open);
    assertThat(open.afterFailure(null, 50)).isEqualTo(new Open(50, 4, 5));
    assertThat(open.afterFailure(null, 7)).isEqualTo(new Open(7, 4, 5));
    assertThat(open.afterFailure(null, 6)).isEqualTo(new Open(7, 4, 5)); // STALE-5
    assertThat(open.afterFailure(new Closed(4), 50)).isEqualTo(new Open(50, 4, 5)); // PERMIT-3
  }

  @Test
  void openAdmitsOnceTheCooldownHasElapsed() {
    Open open = new Open(7, 3, 5);
    assertThat(open.admits(CONFIG, 106)).isFalse();
    assertThat(open.admits(CONFIG, 107)).isTrue();
    assertThat(open.at(CONFIG, 1_000_000)).isSameAs(open);
    assertThat(open.label()).isEqualTo(OPEN);
    assertThat(open.afterGrant(true, 107)).isEqualTo(new HalfOpen(107, 3, true, 6));
  }

  @Test
  void halfOpenIsDecidedByResultsWithinTheLease() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, 6);
    assertThat(halfOpen.at(CONFIG, 36)).isSameAs(halfOpen);
    assertThat(halfOpen.afterSuccess(null)).isInstanceOf(Closed.class);
    assertThat(halfOpen.afterSuccess(null).transitions()).isEqualTo(7);
    assertThat(halfOpen.afterFailure(null, 36)).isEqualTo(new Open(36, 4, 7));
    assertThat(halfOpen.afterFailure(null, 6)).isEqualTo(new Open(7, 4, 7)); // STALE-5
    assertThat(halfOpen.label()).isEqualTo(HALF_OPEN);
    assertThat(halfOpen.admits(CONFIG, 36)).isFalse();
  }

  @Test
  void halfOpenIsOpenSinceTheLeasesEndAfterwards() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, 6);
    assertThat(halfOpen.at(CONFIG, 37)).isEqualTo(new Open(37, 3, 7));
    assertThat(halfOpen.at(CONFIG, 9_000)).isEqualTo(new Open(37, 3, 7));
  }

  @Test
  void aProbeWithAPermitIsDecidedByThatAlone() {
    HalfOpen probe = new HalfOpen(7, 3, true, 6);
    assertIsNotDecidedBy(null, probe);
    assertIsNotDecidedBy(new Closed(4), probe);
    assertIsNotDecidedBy(new HalfOpen(7, 3, true, 6), probe);
    assertThat(probe.afterSuccess(probe)).isInstanceOf(Closed.class);
    assertThat(probe.afterFailure(probe, 36)).isEqualTo(new Open(36, 4, 7));
  }

  @Test
  void aProbeByNameIsDecidedByNoPermit() {
    HalfOpen probe = new HalfOpen(7, 3, false, 6);
    assertIsNotDecidedBy(new Closed(4), probe);
    assertIsNotDecidedBy(probe, probe);
  }

  private static void assertIsNotDecidedBy(@Nullable BreakerState other, HalfOpen probe) {
    assertThat(probe.afterSuccess(other)).isSameAs(probe);
    assertThat(probe.afterFailure(other, 36)).isSameAs(probe);
  }

  @Test
  void aCancelledProbeLeavesACooldownThatHasElapsed() {
    Open open = new HalfOpen(7, 3, true, 6).afterCancellation(CONFIG, 36);
    assertThat(open).isEqualTo(new Open(-64, 3, 7));
    assertThat(open.admits(CONFIG, 36)).isTrue();
  }

  @Test
  void closedHeedsItsOwnPermitsAndResultsByName() {
    Closed closed = new Closed(4);
    assertThat(closed.heeds(null)).isTrue();
    assertThat(closed.heeds(closed)).isTrue();
    assertThat(closed.heeds(new Closed(4))).isFalse();
    assertThat(closed.heeds(new HalfOpen(7, 3, true, 3))).isFalse();
  }

  @Test
  void withoutALeaseHalfOpenStaysSo() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, 6);
    CircuitBreakerConfig noLease = config(3, 100, 0);
    assertThat(halfOpen.at(noLease, 1_000_000)).isSameAs(halfOpen);
    assertThat(halfOpen.retryAfter(noLease, 1_000_000)).isEmpty();
  }

  /** A swap that succeeds then proves that nothing was missed, though the states look the same. */
  @Test
  void noStateIsReturnedTo() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, 6);
    assertThat(halfOpen.afterSuccess(null)).isNotSameAs(halfOpen.afterSuccess(null));
    Open open = new Open(7, 3, 5);
    assertThat(open.afterFailure(null, 7)).isNotSameAs(open.afterFailure(null, 7));
  }

  /** Field case C01, step 7, and its kind: never negative, and never beyond the truth. */
  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MAX_VALUE - 3, Long.MIN_VALUE})
  void retryAfterIsTheWorstCase(long start) {
    Tripped open = new Open(start, 3, 5);
    assertThat(open.retryAfter(CONFIG, start)).contains(Duration.ofNanos(100));
    assertThat(open.retryAfter(CONFIG, start + 99)).contains(Duration.ofNanos(1));
    assertThat(open.retryAfter(CONFIG, start + 100)).contains(Duration.ZERO);
    assertThat(open.retryAfter(CONFIG, start + 5_000)).contains(Duration.ZERO);
    Tripped halfOpen = new HalfOpen(start, 3, false, 6);
    assertThat(halfOpen.retryAfter(CONFIG, start)).contains(Duration.ofNanos(130));
    assertThat(halfOpen.retryAfter(CONFIG, start + 29)).contains(Duration.ofNanos(101));
    assertThat(halfOpen.at(CONFIG, start + 30).retryAfter(CONFIG, start + 30))
        .contains(Duration.ofNanos(100));
    assertThat(halfOpen.at(CONFIG, start + 130).retryAfter(CONFIG, start + 130))
        .contains(Duration.ZERO);
    assertThat(new Closed(0).retryAfter(CONFIG, start)).contains(Duration.ZERO);
  }

  @Test
  void retryAfterSaturates() {
    CircuitBreakerConfig forEver = config(1, Long.MAX_VALUE, Long.MAX_VALUE);
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertThat(new Open(5, 1, 5).retryAfter(forEver, 5)).contains(longest);
    assertThat(new Open(5, 1, 5).retryAfter(forEver, 6)).contains(longest.minusNanos(1));
    assertThat(new Open(5, 1, 5).retryAfter(forEver, 4)).contains(longest); // stepped back
    assertThat(new HalfOpen(5, 1, false, 6).retryAfter(forEver, 5)).contains(longest);
    assertThat(new HalfOpen(5, 1, false, 6).retryAfter(forEver, 4))
        .contains(longest); // stepped back
    assertThat(new HalfOpen(5, 1, false, 6).retryAfter(forEver, 3)).contains(longest);
  }

  @Test
  void aNewBreakerIsClosed() {
    Closed closed = new Closed(0);
    assertThat(closed.label()).isEqualTo(CLOSED);
    assertThat(closed.consecutiveFailures()).isZero();
    assertThat(closed.admits(CONFIG, 7)).isTrue();
  }
}

package dev.toolhealth;

import static dev.toolhealth.CircuitState.CLOSED;
import static dev.toolhealth.CircuitState.HALF_OPEN;
import static dev.toolhealth.CircuitState.OPEN;
import static dev.toolhealth.Transition.Cause.LEASE_EXPIRED;
import static dev.toolhealth.Transition.Cause.PROBE_CANCELLED;
import static dev.toolhealth.Transition.Cause.PROBE_FAILED;
import static dev.toolhealth.Transition.Cause.PROBE_GRANTED;
import static dev.toolhealth.Transition.Cause.PROBE_SUCCEEDED;
import static dev.toolhealth.Transition.Cause.TRIPPED;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.BreakerState.Closed;
import dev.toolhealth.BreakerState.HalfOpen;
import dev.toolhealth.BreakerState.Open;
import dev.toolhealth.BreakerState.Tripped;
import dev.toolhealth.Transition.Cause;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the state machine row by row, with threshold 3, a cooldown of 100 and a lease of 30. */
class BreakerStateTest {
  private static final CircuitBreakerConfig CONFIG = config(3, 100, 30);
  private static final PendingTransition EARLIER = new PendingTransition(TRIPPED, 7, null);

  private static CircuitBreakerConfig config(int threshold, long recovery, long lease) {
    return CircuitBreakerConfig.ofDefaults()
        .withFailureThreshold(threshold)
        .withRecoveryDuration(Duration.ofNanos(recovery))
        .withProbeTimeout(Duration.ofNanos(lease));
  }

  @Test
  void closedCountsFailuresAndStopsAtTheThreshold() {
    Closed closed = new Closed(null);
    for (int failures = 1; failures < 3; failures++) {
      assertThat(closed.countFailure(CONFIG)).isTrue();
      assertThat(closed.consecutiveFailures()).isEqualTo(failures);
      assertThat(closed.isFrozen()).isFalse();
    }
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.isFrozen()).isTrue();
    assertIsOpen(closed.toOpen(7), 7, 3, TRIPPED, 7);
  }

  @Test
  void aCountThatHasStoppedIsClosedWithoutTheLastFailureAndStaysSo() {
    Closed closed = new Closed(null);
    for (int i = 0; i < 3; i++) {
      assertThat(closed.countFailure(CONFIG)).isTrue();
    }
    assertThat(closed.countFailure(CONFIG)).isFalse();
    assertThat(closed.resetFailures()).isFalse();
    assertThat(closed.label()).isEqualTo(CLOSED);
    assertThat(closed.admits(CONFIG, 7)).isTrue();
    assertThat(closed.consecutiveFailures()).isEqualTo(2);
    assertIsOpen(closed.toOpen(7), 7, 3, TRIPPED, 7);
  }

  @Test
  void aSuccessEndsTheRun() {
    Closed closed = new Closed(null);
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.resetFailures()).isTrue();
    assertThat(closed.consecutiveFailures()).isZero();
    assertThat(closed.resetFailures()).isTrue();
    assertThat(closed.consecutiveFailures()).isZero();
  }

  @Test
  void thresholdZeroNeverTrips() {
    Closed closed = new Closed(null);
    for (int failures = 1; failures <= 1_000; failures++) {
      assertThat(closed.countFailure(config(0, 100, 30))).isTrue();
    }
    assertThat(closed.isFrozen()).isFalse();
    assertThat(closed.consecutiveFailures()).isEqualTo(1_000);
  }

  @Test
  void openIgnoresSuccessesAndRestartsOnFailures() {
    Open open = new Open(7, 3, EARLIER);
    assertThat(open.afterSuccess(null, 36)).isSameAs(open);
    assertThat(open.afterFailure(null, 50)).isEqualTo(new Open(50, 4, EARLIER));
    assertThat(open.afterFailure(null, 7)).isEqualTo(new Open(7, 4, EARLIER));
    assertThat(open.afterFailure(null, 6)).isEqualTo(new Open(7, 4, EARLIER)); // STALE-5
    assertThat(open.afterFailure(new Closed(null), 50))
        .isEqualTo(new Open(50, 4, EARLIER)); // PERMIT-3
  }

  @Test
  void openAdmitsOnceTheCooldownHasElapsed() {
    Open open = new Open(7, 3, EARLIER);
    assertThat(open.admits(CONFIG, 106)).isFalse();
    assertThat(open.admits(CONFIG, 107)).isTrue();
    assertThat(open.asOf(CONFIG, 1_000_000)).isSameAs(open);
    assertThat(open.label()).isEqualTo(OPEN);
    HalfOpen probe = open.afterGrant(true, 107);
    assertThat(probe).isEqualTo(new HalfOpen(107, 3, true, probe.transition()));
    assertNews(probe, PROBE_GRANTED, 107);
  }

  @Test
  void halfOpenIsDecidedByResultsWithinTheLease() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, EARLIER);
    assertThat(halfOpen.asOf(CONFIG, 36)).isSameAs(halfOpen);
    assertThat(halfOpen.afterSuccess(null, 36)).isInstanceOf(Closed.class);
    assertNews(halfOpen.afterSuccess(null, 36), PROBE_SUCCEEDED, 36);
    assertIsOpen(halfOpen.afterFailure(null, 36), 36, 4, PROBE_FAILED, 36);
    assertIsOpen(halfOpen.afterFailure(null, 6), 7, 4, PROBE_FAILED, 6); // STALE-5
    assertThat(halfOpen.label()).isEqualTo(HALF_OPEN);
    assertThat(halfOpen.admits(CONFIG, 36)).isFalse();
  }

  @Test
  void halfOpenIsOpenSinceTheLeasesEndAfterwards() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, EARLIER);
    assertIsOpen(halfOpen.asOf(CONFIG, 37), 37, 3, LEASE_EXPIRED, 37);
    assertIsOpen(halfOpen.asOf(CONFIG, 9_000), 37, 3, LEASE_EXPIRED, 37);
  }

  @Test
  void aProbeWithAPermitIsDecidedByThatAlone() {
    HalfOpen probe = new HalfOpen(7, 3, true, EARLIER);
    assertIsNotDecidedBy(null, probe);
    assertIsNotDecidedBy(new Closed(null), probe);
    assertIsNotDecidedBy(new HalfOpen(7, 3, true, EARLIER), probe);
    assertThat(probe.afterSuccess(probe, 36)).isInstanceOf(Closed.class);
    assertIsOpen(probe.afterFailure(probe, 36), 36, 4, PROBE_FAILED, 36);
  }

  @Test
  void aProbeByNameIsDecidedByNoPermit() {
    HalfOpen probe = new HalfOpen(7, 3, false, EARLIER);
    assertIsNotDecidedBy(new Closed(null), probe);
    assertIsNotDecidedBy(probe, probe);
  }

  private static void assertIsNotDecidedBy(@Nullable BreakerState other, HalfOpen probe) {
    assertThat(probe.afterSuccess(other, 36)).isSameAs(probe);
    assertThat(probe.afterFailure(other, 36)).isSameAs(probe);
  }

  private static void assertIsOpen(
      BreakerState state, long since, long failures, Cause cause, long nanoTime) {
    assertThat(state).isEqualTo(new Open(since, failures, requireNonNull(state.transition())));
    assertNews(state, cause, nanoTime);
  }

  private static void assertNews(BreakerState state, Cause cause, long nanoTime) {
    PendingTransition transition = requireNonNull(state.transition());
    assertThat(transition.cause).isEqualTo(cause);
    assertThat(transition.nanoTime).isEqualTo(nanoTime);
    assertThat(transition.previous).isSameAs(cause == TRIPPED ? null : EARLIER);
  }

  @Test
  void aCancelledProbeLeavesACooldownThatHasElapsed() {
    Open open = new HalfOpen(7, 3, true, EARLIER).afterCancellation(CONFIG, 36);
    assertIsOpen(open, -64, 3, PROBE_CANCELLED, 36);
    assertThat(open.admits(CONFIG, 36)).isTrue();
  }

  @Test
  void closedHeedsItsOwnPermitsAndResultsByName() {
    Closed closed = new Closed(null);
    assertThat(closed.admitted(null)).isTrue();
    assertThat(closed.admitted(closed)).isTrue();
    assertThat(closed.admitted(new Closed(null))).isFalse();
    assertThat(closed.admitted(new HalfOpen(7, 3, true, EARLIER))).isFalse();
  }

  @Test
  void withoutALeaseHalfOpenStaysSo() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, EARLIER);
    CircuitBreakerConfig noLease = config(3, 100, 0);
    assertThat(halfOpen.asOf(noLease, 1_000_000)).isSameAs(halfOpen);
    assertThat(halfOpen.retryAfter(noLease, 1_000_000)).isEmpty();
  }

  /** No transition returns an old object. A successful CAS thus proves that nothing happened. */
  @Test
  void noStateIsReturnedTo() {
    HalfOpen halfOpen = new HalfOpen(7, 3, false, EARLIER);
    assertThat(halfOpen.afterSuccess(null, 36)).isNotSameAs(halfOpen.afterSuccess(null, 36));
    Open open = new Open(7, 3, EARLIER);
    assertThat(open.afterFailure(null, 7)).isNotSameAs(open.afterFailure(null, 7));
  }

  /** Field case C01, step 7: the time to wait is never negative and never too long. */
  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MAX_VALUE - 3, Long.MIN_VALUE})
  void retryAfterIsTheWorstCase(long start) {
    Tripped open = new Open(start, 3, EARLIER);
    assertThat(open.retryAfter(CONFIG, start)).contains(Duration.ofNanos(100));
    assertThat(open.retryAfter(CONFIG, start + 99)).contains(Duration.ofNanos(1));
    assertThat(open.retryAfter(CONFIG, start + 100)).contains(Duration.ZERO);
    assertThat(open.retryAfter(CONFIG, start + 5_000)).contains(Duration.ZERO);
    Tripped halfOpen = new HalfOpen(start, 3, false, EARLIER);
    assertThat(halfOpen.retryAfter(CONFIG, start)).contains(Duration.ofNanos(130));
    assertThat(halfOpen.retryAfter(CONFIG, start + 29)).contains(Duration.ofNanos(101));
    assertThat(halfOpen.asOf(CONFIG, start + 30).retryAfter(CONFIG, start + 30))
        .contains(Duration.ofNanos(100));
    assertThat(halfOpen.asOf(CONFIG, start + 130).retryAfter(CONFIG, start + 130))
        .contains(Duration.ZERO);
    assertThat(new Closed(null).retryAfter(CONFIG, start)).contains(Duration.ZERO);
  }

  @Test
  void retryAfterSaturates() {
    CircuitBreakerConfig forEver = config(1, Long.MAX_VALUE, Long.MAX_VALUE);
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertThat(new Open(5, 1, EARLIER).retryAfter(forEver, 5)).contains(longest);
    assertThat(new Open(5, 1, EARLIER).retryAfter(forEver, 6)).contains(longest.minusNanos(1));
    assertThat(new Open(5, 1, EARLIER).retryAfter(forEver, 4)).contains(longest); // stepped back
    assertThat(new HalfOpen(5, 1, false, EARLIER).retryAfter(forEver, 5)).contains(longest);
    assertThat(new HalfOpen(5, 1, false, EARLIER).retryAfter(forEver, 4))
        .contains(longest); // stepped back
    assertThat(new HalfOpen(5, 1, false, EARLIER).retryAfter(forEver, 3)).contains(longest);
  }

  @Test
  void aNewBreakerIsClosed() {
    Closed closed = new Closed(null);
    assertThat(closed.label()).isEqualTo(CLOSED);
    assertThat(closed.consecutiveFailures()).isZero();
    assertThat(closed.admits(CONFIG, 7)).isTrue();
  }
}

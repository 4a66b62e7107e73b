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
    Closed closed = new Closed();
    for (int failures = 1; failures < 3; failures++) {
      assertThat(closed.countFailure(CONFIG)).isTrue();
      assertThat(closed.consecutiveFailures()).isEqualTo(failures);
      assertThat(closed.hasStopped()).isFalse();
    }
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.hasStopped()).isTrue();
    assertThat(closed.opened(7)).isEqualTo(new Open(7, 3));
  }

  @Test
  void aCountThatHasStoppedIsClosedWithoutTheLastFailureAndStaysSo() {
    Closed closed = new Closed();
    for (int i = 0; i < 3; i++) {
      assertThat(closed.countFailure(CONFIG)).isTrue();
    }
    assertThat(closed.countFailure(CONFIG)).isFalse();
    assertThat(closed.endRun()).isFalse();
    assertThat(closed.label(CONFIG, 7)).isEqualTo(CLOSED);
    assertThat(closed.admits(CONFIG, 7)).isTrue();
    assertThat(closed.consecutiveFailures()).isEqualTo(2);
    assertThat(closed.opened(7)).isEqualTo(new Open(7, 3));
  }

  @Test
  void aSuccessEndsTheRun() {
    Closed closed = new Closed();
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.countFailure(CONFIG)).isTrue();
    assertThat(closed.endRun()).isTrue();
    assertThat(closed.consecutiveFailures()).isZero();
    assertThat(closed.endRun()).isTrue();
    assertThat(closed.consecutiveFailures()).isZero();
  }

  @Test
  void thresholdZeroNeverTrips() {
    Closed closed = new Closed();
    for (int failures = 1; failures <= 1_000; failures++) {
      assertThat(closed.countFailure(config(0, 100, 30))).isTrue();
    }
    assertThat(closed.hasStopped()).isFalse();
    assertThat(closed.consecutiveFailures()).isEqualTo(1_000);
  }

  @Test
  void openIgnoresSuccessesAndRestartsOnFailures() {
    Tripped open = new Open(7, 3);
    assertThat(open.afterSuccess(CONFIG, 50)).isSameAs(open);
    assertThat(open.afterFailure(CONFIG, 50)).isEqualTo(new Open(50, 4));
    assertThat(open.afterFailure(CONFIG, 7)).isEqualTo(new Open(7, 4));
    assertThat(open.afterFailure(CONFIG, 6)).isEqualTo(new Open(7, 4)); // STALE-5
  }

  @Test
  void openAdmitsOnceTheCooldownHasElapsed() {
    Tripped open = new Open(7, 3);
    assertThat(open.admits(CONFIG, 106)).isFalse();
    assertThat(open.admits(CONFIG, 107)).isTrue();
    assertThat(open.label(CONFIG, 1_000_000)).isEqualTo(OPEN);
  }

  @Test
  void halfOpenIsDecidedByResultsWithinTheLease() {
    Tripped halfOpen = new HalfOpen(7, 3);
    assertThat(halfOpen.afterSuccess(CONFIG, 36)).isInstanceOf(Closed.class);
    assertThat(halfOpen.afterFailure(CONFIG, 36)).isEqualTo(new Open(36, 4));
    assertThat(halfOpen.label(CONFIG, 36)).isEqualTo(HALF_OPEN);
    assertThat(halfOpen.admits(CONFIG, 36)).isFalse();
  }

  @Test
  void halfOpenIsOpenSinceTheLeasesEndAfterwards() {
    Tripped halfOpen = new HalfOpen(7, 3);
    assertThat(halfOpen.afterSuccess(CONFIG, 37)).isEqualTo(new Open(37, 3));
    assertThat(halfOpen.afterSuccess(CONFIG, 90)).isEqualTo(new Open(37, 3));
    assertThat(halfOpen.afterFailure(CONFIG, 37)).isEqualTo(new Open(37, 4));
    assertThat(halfOpen.afterFailure(CONFIG, 90)).isEqualTo(new Open(90, 4));
    assertThat(halfOpen.label(CONFIG, 37)).isEqualTo(OPEN);
    assertThat(halfOpen.admits(CONFIG, 136)).isFalse();
    assertThat(halfOpen.admits(CONFIG, 137)).isTrue();
  }

  @Test
  void withoutALeaseHalfOpenStaysSo() {
    Tripped halfOpen = new HalfOpen(7, 3);
    CircuitBreakerConfig noLease = config(3, 100, 0);
    assertThat(halfOpen.label(noLease, 1_000_000)).isEqualTo(HALF_OPEN);
    assertThat(halfOpen.afterSuccess(noLease, 1_000_000)).isInstanceOf(Closed.class);
    assertThat(halfOpen.retryAfter(noLease, 1_000_000)).isEmpty();
  }

  /** A swap that succeeds then proves that nothing was missed, though the states look the same. */
  @Test
  void noStateIsReturnedTo() {
    Tripped halfOpen = new HalfOpen(7, 3);
    assertThat(halfOpen.afterSuccess(CONFIG, 8)).isNotSameAs(halfOpen.afterSuccess(CONFIG, 8));
    Tripped open = new Open(7, 3);
    assertThat(open.afterFailure(CONFIG, 7)).isNotSameAs(open.afterFailure(CONFIG, 7));
  }

  /** Field case C01, step 7, and its kind: never negative, and never beyond the truth. */
  @ParameterizedTest
  @ValueSource(longs = {0, -5, Long.MAX_VALUE - 3, Long.MIN_VALUE})
  void retryAfterIsTheWorstCase(long start) {
    Tripped open = new Open(start, 3);
    assertThat(open.retryAfter(CONFIG, start)).contains(Duration.ofNanos(100));
    assertThat(open.retryAfter(CONFIG, start + 99)).contains(Duration.ofNanos(1));
    assertThat(open.retryAfter(CONFIG, start + 100)).contains(Duration.ZERO);
    assertThat(open.retryAfter(CONFIG, start + 5_000)).contains(Duration.ZERO);
    Tripped halfOpen = new HalfOpen(start, 3);
    assertThat(halfOpen.retryAfter(CONFIG, start)).contains(Duration.ofNanos(130));
    assertThat(halfOpen.retryAfter(CONFIG, start + 29)).contains(Duration.ofNanos(101));
    assertThat(halfOpen.retryAfter(CONFIG, start + 30)).contains(Duration.ofNanos(100));
    assertThat(halfOpen.retryAfter(CONFIG, start + 130)).contains(Duration.ZERO);
    assertThat(new Closed().retryAfter(CONFIG, start)).contains(Duration.ZERO);
  }

  @Test
  void retryAfterSaturates() {
    CircuitBreakerConfig forEver = config(1, Long.MAX_VALUE, Long.MAX_VALUE);
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertThat(new Open(5, 1).retryAfter(forEver, 5)).contains(longest);
    assertThat(new Open(5, 1).retryAfter(forEver, 6)).contains(longest.minusNanos(1));
    assertThat(new Open(5, 1).retryAfter(forEver, 4)).contains(longest); // stepped back
    assertThat(new HalfOpen(5, 1).retryAfter(forEver, 5)).contains(longest);
    assertThat(new HalfOpen(5, 1).retryAfter(forEver, 4)).contains(longest); // stepped back
    assertThat(new HalfOpen(5, 1).retryAfter(forEver, 3)).contains(longest);
  }

  @Test
  void aNewBreakerIsClosed() {
    Closed closed = new Closed();
    assertThat(closed.label(CONFIG, 7)).isEqualTo(CLOSED);
    assertThat(closed.consecutiveFailures()).isZero();
    assertThat(closed.admits(CONFIG, 7)).isTrue();
  }
}

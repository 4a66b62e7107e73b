package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Behaviour of permits beyond the kit's chapter PERMIT. */
class PermitTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder()
          .config(
              CircuitBreakerConfig.ofDefaults()
                  .withFailureThreshold(1)
                  .withRecoveryDuration(Duration.ofNanos(100)))
          .nanoClock(clock)
          .build();

  private Permit refused() {
    registry.recordFailureNanos("search", 1);
    return registry.tryAcquire("search");
  }

  @Test
  void aRefusedPermitHasNothingToReport() {
    Permit refused = refused();
    assertThatIllegalStateException()
        .isThrownBy(() -> refused.successNanos(1))
        .withMessage(
            "the permit for search was refused, so there is no success to report:"
                + " call isGranted() first");
    assertThatIllegalStateException()
        .isThrownBy(() -> refused.failure(Duration.ofNanos(1)))
        .withMessageContaining("no failure to report");
    assertThat(registry.snapshot("search").total()).isEqualTo(1);
  }

  @Test
  void aRefusedPermitCanBeClosed() {
    Permit refused = refused();
    refused.cancel();
    refused.close();
    assertThat(refused.isGranted()).isFalse();
    assertThat(refused.retryAfter()).contains(Duration.ofNanos(100));
  }

  /**
   * The cooldown elapses between the gate's answer and the computation of the wait. A refusal with
   * no wait would contradict itself.
   */
  @Test
  void aRefusalNeverSaysThatACallWouldBeLetThroughAtOnce() {
    AtomicLong time = new AtomicLong();
    ToolHealthRegistry racing =
        ToolHealthRegistry.builder()
            .config(
                CircuitBreakerConfig.ofDefaults()
                    .withFailureThreshold(1)
                    .withRecoveryDuration(Duration.ofNanos(100)))
            .nanoClock(time::getAndIncrement)
            .build();
    racing.recordFailureNanos("search", 1); // at 0
    time.set(99); // the gate reads 99, the computation of the wait reads 100
    Permit permit = racing.tryAcquire("search");
    assertThat(permit.isGranted()).isTrue();
    assertThat(racing.snapshot("search").circuitState()).isEqualTo(CircuitState.HALF_OPEN);
  }

  @Test
  void staysGrantedAfterItsReport() {
    Permit permit = registry.tryAcquire("search");
    permit.success(Duration.ofNanos(5));
    assertThat(permit.isGranted()).isTrue();
    assertThat(permit.retryAfter()).contains(Duration.ZERO);
    assertThat(registry.snapshot("search").totalDuration()).isEqualTo(Duration.ofNanos(5));
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void aReportThatIsRefusedIsNotTheOne() {
    Permit permit = registry.tryAcquire("search");
    assertThatNullPointerException()
        .isThrownBy(() -> permit.success((Duration) null))
        .withMessage("duration");
    permit.failureNanos(1);
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  @Test
  void onlyTheFirstReportCounts() {
    Permit failed = registry.tryAcquire("search");
    Permit succeeded = registry.tryAcquire("search");
    failed.failureNanos(1);
    succeeded.successNanos(1);
    for (Permit permit : List.of(failed, succeeded)) {
      permit.failureNanos(1);
      permit.successNanos(1);
      permit.cancel();
    }
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
  }

  /** A block that ends without a report, for example by an exception, frees the probe's slot. */
  @Test
  void aBlockThatIsLeftGivesTheProbeBack() {
    registry.recordFailureNanos("search", 1);
    clock.set(100);
    try (Permit probe = registry.tryAcquire("search")) {
      assertThat(probe.isGranted()).isTrue();
      assertThat(registry.isToolAvailable("search")).isFalse();
    }
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(registry.snapshot("search").circuitState()).isEqualTo(CircuitState.OPEN);
  }
}

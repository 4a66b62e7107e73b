package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the kit's chapter PERMIT leaves open. */
class PermitTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry =
      new ToolHealthRegistry(
          CircuitBreakerConfig.defaults()
              .withFailureThreshold(1)
              .withRecoveryDuration(Duration.ofNanos(100)),
          clock);

  private Permit refused() {
    registry.recordFailure("search", 1);
    return registry.tryAcquire("search");
  }

  @Test
  void aRefusedPermitHasNothingToReport() {
    Permit refused = refused();
    assertThatIllegalStateException()
        .isThrownBy(() -> refused.success(1))
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

  @Test
  void staysGrantedAfterItsReport() {
    Permit permit = registry.tryAcquire("search");
    permit.success(Duration.ofNanos(5));
    assertThat(permit.isGranted()).isTrue();
    assertThat(permit.retryAfter()).contains(Duration.ZERO);
    assertThat(registry.snapshot("search").totalDuration()).isEqualTo(Duration.ofNanos(5));
  }

  @Test
  @SuppressWarnings("NullAway") // the point of it
  void aReportThatIsRefusedIsNotTheOne() {
    Permit permit = registry.tryAcquire("search");
    assertThatNullPointerException()
        .isThrownBy(() -> permit.success((Duration) null))
        .withMessage("duration");
    permit.failure(1);
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** The way of a block that is left by an exception: whatever it was, the slot is free again. */
  @Test
  void aBlockThatIsLeftGivesTheProbeBack() {
    registry.recordFailure("search", 1);
    clock.set(100);
    try (Permit probe = registry.tryAcquire("search")) {
      assertThat(probe.isGranted()).isTrue();
      assertThat(registry.isToolAvailable("search")).isFalse();
    }
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(registry.snapshot("search").circuitState()).isEqualTo(CircuitState.OPEN);
  }
}

package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.Transition.Cause;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ToolCircuitBreakerTest {
  private static final CircuitBreakerConfig CONFIG =
      CircuitBreakerConfig.ofDefaults()
          .withFailureThreshold(1)
          .withRecoveryDuration(Duration.ofNanos(100))
          .withProbeTimeout(Duration.ofNanos(30));

  /**
   * A failure freezes the counter and reads the clock. Then another failure performs the trip in
   * its place, a probe is granted, and the breaker closes again. The first failure has already been
   * applied and must not trip the breaker with its old time.
   */
  @Test
  void aFailureThatSleptThroughARoundTripsNothing() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    clock.now = 5;
    clock.overtaker =
        () -> {
          clock.now = 10;
          breaker.applyFailure(null);
          assertThat(breaker.view().state().consecutiveFailures()).isEqualTo(2);
          clock.now = 109;
          assertThat(breaker.allowRequest()).isFalse();
          clock.now = 110;
          assertThat(breaker.allowRequest()).isTrue();
          breaker.applySuccess(null);
        };
    breaker.applyFailure(null);

    assertThat(breaker.view().state().label()).isEqualTo(CircuitState.CLOSED);
    assertThat(breaker.view().state().consecutiveFailures()).isZero();
  }

  /** A reported transition holds no earlier transitions; otherwise the history would leak. */
  @Test
  void whatWasToldHoldsNothingThatWasBefore() {
    ManualClock clock = new ManualClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    for (int round = 1; round <= 3; round++) {
      breaker.applyFailure(null);
      assertHasTold(breaker, Cause.TRIPPED);
      clock.set(100L * round);
      assertThat(breaker.allowRequest()).isTrue();
      assertHasTold(breaker, Cause.PROBE_GRANTED);
      breaker.applySuccess(null);
      assertHasTold(breaker, Cause.PROBE_SUCCEEDED);
    }
  }

  private static void assertHasTold(ToolCircuitBreaker breaker, Cause cause) {
    PendingTransition transition = Objects.requireNonNull(breaker.view().state().transition());
    assertThat(transition.cause).isEqualTo(cause);
    assertThat(transition.isDelivered).isTrue();
    assertThat(transition.previous).isNull();
  }

  /** A success that finds the counter frozen performs the trip and is then ignored. */
  @Test
  void aSuccessThatComesUponAStoppedCountComesTooLate() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    clock.now = 5;
    clock.overtaker =
        () -> {
          assertThat(breaker.allowRequest()).isTrue();
          clock.now = 7;
          breaker.applySuccess(null);
          assertThat(breaker.allowRequest()).isFalse();
        };
    breaker.applyFailure(null);

    assertThat(breaker.view().state().label()).isEqualTo(CircuitState.OPEN);
    assertThat(breaker.view().state().consecutiveFailures()).isEqualTo(1);
    clock.now = 106;
    assertThat(breaker.isAvailable()).isFalse();
    clock.now = 107;
    assertThat(breaker.isAvailable()).isTrue();
  }

  /** A caller finds the cooldown elapsed, but another caller is granted the probe first. */
  @Test
  void aCallerThatIsOvertakenAtTheProbeIsRefused() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    breaker.applyFailure(null);
    clock.now = 100;
    clock.overtaker = () -> assertThat(breaker.allowRequest()).isTrue();
    assertThat(breaker.allowRequest()).isFalse();
  }

  /** A failure within the lease opens the breaker before the probe's success is applied. */
  @Test
  void aSuccessThatIsOvertakenByAFailureIsIgnored() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    breaker.applyFailure(null);
    clock.now = 100;
    assertThat(breaker.allowRequest()).isTrue();
    clock.overtaker = () -> breaker.applyFailure(null);
    breaker.applySuccess(null);
    assertThat(breaker.view().state().label()).isEqualTo(CircuitState.OPEN);
    assertThat(breaker.view().state().consecutiveFailures()).isEqualTo(2);
  }

  /** A failure restarts the cooldown after the oracle has read the state, but before the clock. */
  @Test
  void anOracleThatIsOvertakenByAFailureLooksAgain() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    breaker.applyFailure(null);
    clock.now = 105;
    clock.overtaker =
        () -> {
          clock.now = 90;
          breaker.applyFailure(null);
          clock.now = 105;
        };
    assertThat(breaker.isAvailable()).isFalse();
  }

  /**
   * The probe succeeds within its lease after a reader has read the state, but before the clock.
   */
  @Test
  void aLookThatIsOvertakenByTheProbesSuccessSeesItClosed() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    breaker.applyFailure(null);
    clock.now = 100;
    assertThat(breaker.allowRequest()).isTrue();
    clock.now = 150;
    clock.overtaker =
        () -> {
          clock.now = 120;
          breaker.applySuccess(null);
          clock.now = 150;
        };
    assertThat(breaker.view().state().label()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void aClosedBreakerReadsNoClock() {
    ToolCircuitBreaker breaker =
        new ToolCircuitBreaker(
            "search",
            CONFIG.withFailureThreshold(3),
            () -> {
              throw new AssertionError("the clock was read");
            },
            new Listeners());
    assertThat(breaker.allowRequest()).isTrue();
    assertThat(breaker.isAvailable()).isTrue();
    breaker.applyFailure(null);
    breaker.applyFailure(null);
    breaker.applySuccess(null);
    breaker.applySuccess(null);
    assertThat(breaker.view().state().label()).isEqualTo(CircuitState.CLOSED);
    assertThat(breaker.view().state().consecutiveFailures()).isZero();
  }

  /** Neither the healthy path, by handle or by name, nor a refusal allocates. */
  @Test
  void theSteadyPathsAllocateNothing() {
    ToolHealthRegistry registry =
        ToolHealthRegistry.builder().config(CONFIG).nanoClock(() -> 0).build();
    ToolHealth handle = registry.tool("healthy");
    registry.recordFailureNanos("broken", 1);
    Runnable paths =
        () -> {
          for (int i = 0; i < 50_000; i++) {
            assertOrThrow(handle.allowRequest() && registry.allowRequest("healthy"));
            assertOrThrow(handle.isAvailable() && registry.isToolAvailable("healthy"));
            assertOrThrow(!registry.allowRequest("broken") && !registry.isToolAvailable("broken"));
            handle.recordSuccessNanos(7);
            registry.recordSuccessNanos("healthy", 7);
          }
        };
    paths.run();
    long before = allocatedBytes();
    paths.run();
    // The measurement and the JVM may allocate a little, but less than one byte per iteration.
    assertThat(allocatedBytes() - before).isLessThan(50_000);
  }

  private static void assertOrThrow(boolean condition) {
    if (!condition) {
      throw new AssertionError();
    }
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** A clock that runs an action between a read and the return to the reader. */
  private static final class OvertakingClock implements LongSupplier {
    long now;
    Runnable overtaker = this::nobody;

    @Override
    public long getAsLong() {
      long shown = now;
      Runnable first = overtaker;
      overtaker = this::nobody;
      first.run();
      return shown;
    }

    private void nobody() {}
  }
}

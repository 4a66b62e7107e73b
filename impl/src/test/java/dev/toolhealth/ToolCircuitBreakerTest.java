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
   * A failure stops the count, reads the clock, and is overtaken by one that opens the breaker for
   * it, by the probe, and by the recovery. The breaker is closed anew then, and the failure that
   * was heeded already must not trip it with its old time.
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

  /** A breaker that goes round and round for months must not keep all of its history. */
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

  /** A success comes between a failure that stops the count and the trip, and opens the breaker. */
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

  /** A caller finds the cooldown elapsed, and another one is granted the probe before it acts. */
  @Test
  void aCallerThatIsOvertakenAtTheProbeIsRefused() {
    OvertakingClock clock = new OvertakingClock();
    ToolCircuitBreaker breaker = new ToolCircuitBreaker("search", CONFIG, clock, new Listeners());
    breaker.applyFailure(null);
    clock.now = 100;
    clock.overtaker = () -> assertThat(breaker.allowRequest()).isTrue();
    assertThat(breaker.allowRequest()).isFalse();
  }

  /**
   * The probe's success is overtaken by its lease's end, noticed and restarted by a late failure.
   */
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

  /** The oracle holds a cooldown against a time at which a failure had restarted it. */
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

  /** A look finds a probe whose lease has run out, but its success had come in time. */
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

  /** The whole healthy path, by handle and by name, and the refusal. */
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
    // The measurement itself, and the JVM, may allocate a little; one byte a call they may not.
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

  /** A clock that, once read, lets something else happen before its reader goes on. */
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

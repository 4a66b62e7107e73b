package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which tools a registry keeps: REG-7, configurations of single tools, and what is forgotten. */
class TrackedToolsTest {
  private final ManualClock clock = new ManualClock();

  private ToolHealthRegistry registry(int maxTools) {
    return new ToolHealthRegistry(
        CircuitBreakerConfig.defaults().withFailureThreshold(1), clock, maxTools);
  }

  private void at(long millis) {
    clock.set(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Field case C28: a model that makes names up. */
  @Test
  void aMillionMadeUpNamesAreLetThroughAndNotTracked() {
    ToolHealthRegistry registry = new ToolHealthRegistry();
    registry.recordFailure("known", 1);
    for (int i = 0; i < 1_000_000; i++) {
      String name = "made-up-" + i;
      assertThat(registry.allowRequest(name)).isTrue();
      registry.recordFailure(name, 1);
    }
    assertThat(registry.toolCount()).isEqualTo(ToolHealthRegistry.DEFAULT_MAX_TOOLS);
    assertThat(registry.untrackedOutcomes())
        .isEqualTo(1_000_000 - ToolHealthRegistry.DEFAULT_MAX_TOOLS + 1);
    assertThat(registry.snapshot("known").failures()).isEqualTo(1);
    assertThat(registry.healthSummary()).hasSize(ToolHealthRegistry.DEFAULT_MAX_TOOLS);
  }

  @Test
  void atTheBoundNothingThatIsTrackedIsEvicted() {
    ToolHealthRegistry registry = registry(2);
    registry.recordFailure("a", 1);
    registry.recordSuccess("b", 1);
    for (int i = 0; i < 5; i++) {
      registry.recordFailure("c", 1);
      assertThat(registry.allowRequest("c")).isTrue();
    }
    registry.recordSuccess("d", 1);
    assertThat(registry.toolCount()).isEqualTo(2);
    assertThat(registry.untrackedOutcomes()).isEqualTo(6);
    assertThat(registry.allowRequest("a")).isFalse();
    assertThat(registry.snapshot("b").successes()).isEqualTo(1);
    assertThat(registry.snapshot("c").total()).isZero();
    assertThat(registry.isToolAvailable("c")).isTrue();
    assertThat(registry.healthSummary()).containsOnlyKeys("a", "b");
    assertThat(registry.tool("c").name()).isEqualTo("c");
    Permit permit = registry.tryAcquire("c");
    permit.failure(1);
    assertThat(registry.untrackedOutcomes()).isEqualTo(7);
  }

  @Test
  void whatIsForgottenMakesRoom() {
    ToolHealthRegistry registry = registry(1);
    registry.recordFailure("a", 1);
    assertThat(registry.forget("b")).isFalse();
    assertThat(registry.forget("a")).isTrue();
    assertThat(registry.forget("a")).isFalse();
    registry.recordFailure("b", 1);
    assertThat(registry.allowRequest("b")).isFalse();
    registry.recordFailure("c", 1);
    assertThat(registry.allowRequest("c")).isTrue();
    assertThat(registry.toolCount()).isEqualTo(1);
  }

  @Test
  void theBoundIsExactWhoeverRaces() throws Exception {
    ToolHealthRegistry registry = registry(1_000);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int offset = thread * 500;
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 1_500; i++) {
                    registry.recordSuccess("tool-" + (offset + i), 1);
                  }
                }));
      }
      for (Future<?> done : running) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(registry.toolCount()).isEqualTo(1_000);
    long tracked =
        registry.healthSummary().values().stream().mapToLong(ToolSnapshot::successes).sum();
    assertThat(tracked + registry.untrackedOutcomes()).isEqualTo(6_000);
  }

  @Test
  void aBoundOfZeroTracksNothing() {
    ToolHealthRegistry registry = registry(0);
    registry.recordFailure("a", 1);
    assertThat(registry.allowRequest("a")).isTrue();
    assertThat(registry.toolCount()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry(-1))
        .withMessage("maxTools is -1 but must be 0 or more");
  }

  /** Field case C28: late results, handles and permits of what was forgotten reach nothing new. */
  @Test
  void whatIsForgottenDoesNotComeBack() {
    ToolHealthRegistry registry = registry(10);
    Permit old = registry.tryAcquire("x");
    ToolHealth oldHandle = registry.tool("x");
    registry.recordFailure("x", 1);
    at(1_000);
    assertThat(registry.forget("x")).isTrue();
    at(2_000);
    old.failure(1);
    oldHandle.recordFailure(1);
    assertThat(registry.toolCount()).isZero();
    at(3_000);
    assertThat(registry.allowRequest("x")).isTrue();
    assertThat(registry.snapshot("x").total()).isZero();
    assertThat(registry.tool("x")).isNotSameAs(oldHandle);
  }

  /** Field case C28: the probe of the old one must not close the new one. */
  @Test
  void aProbeThatWasForgottenDecidesNothing() {
    ToolHealthRegistry registry = registry(10);
    registry.recordFailure("x", 1);
    at(30_000);
    Permit p = registry.tryAcquire("x");
    registry.forget("x");
    registry.recordFailure("x", 1);
    at(60_000);
    Permit q = registry.tryAcquire("x");
    p.success(1);
    assertThat(registry.snapshot("x").circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    q.success(1);
    assertThat(registry.snapshot("x").circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  /** Field case C28: nothing holds on to it. */
  @Test
  @Timeout(60)
  @SuppressWarnings("try") // the listener is there for as long as the block lasts
  void whatIsForgottenCanBeCollected() throws InterruptedException {
    ToolHealthRegistry registry = registry(10);
    try (ToolListener.Registration ignored = registry.addListener(transition -> {})) {
      registry.recordFailure("x", 1);
      WeakReference<ToolHealth> forgotten = new WeakReference<>(registry.tool("x"));
      registry.forget("x");
      while (forgotten.get() != null) {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
  }

  @Test
  void aToolCanHaveAConfigurationOfItsOwn() {
    ToolHealthRegistry registry = registry(10);
    CircuitBreakerConfig patient = CircuitBreakerConfig.defaults().withFailureThreshold(2);
    registry.recordFailure("early", 1);
    registry.configure("early", patient);
    registry.configure("own", patient);
    registry.configure(
        CircuitBreakerConfig.defaults()
            .withFailureThreshold(1)
            .withRecoveryDuration(Duration.ofMillis(5)));
    registry.recordFailure("own", 1);
    registry.recordFailure("other", 1);
    assertThat(registry.allowRequest("early")).isFalse();
    assertThat(registry.allowRequest("own")).isTrue();
    assertThat(registry.allowRequest("other")).isFalse();
    registry.forget("early");
    registry.recordFailure("early", 1);
    assertThat(registry.allowRequest("early")).isTrue();
    at(5);
    assertThat(registry.allowRequest("other")).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // the point of it
  void nullsAreRefusedByName() {
    ToolHealthRegistry registry = registry(10);
    assertThatNullPointerException().isThrownBy(() -> registry.forget(null)).withMessage("tool");
    assertThatNullPointerException()
        .isThrownBy(() -> registry.configure(null, CircuitBreakerConfig.defaults()))
        .withMessage("tool");
    assertThatNullPointerException()
        .isThrownBy(() -> registry.configure("a", null))
        .withMessage("config");
    assertThatNullPointerException()
        .isThrownBy(() -> registry.addListener(null))
        .withMessage("listener");
    assertThat(registry.toolCount()).isZero();
  }

  @Test
  void theReportHasTheWorstFirst() {
    ToolHealthRegistry registry =
        new ToolHealthRegistry(CircuitBreakerConfig.defaults(), clock, 10);
    registry.recordSuccess("calendar", Duration.ofMillis(3));
    for (int i = 0; i < 3; i++) {
      registry.recordFailure("web search", Duration.ofMillis(1_500));
    }
    registry.recordFailure("shell\nrm", Duration.ofMillis(12));
    registry.recordSuccess("shell\nrm", Duration.ofMillis(13));
    at(10_000);
    assertThat(registry.healthReport())
        .isEqualTo(
            """
            tool        status     score  calls  failed       mean        max  breaker  retry after
            web search  UNHEALTHY   0.24      3       3  1500.0 ms  1500.0 ms  OPEN      20000.0 ms
            shell?rm    DEGRADED    0.70      2       1    12.5 ms    13.0 ms  CLOSED
            calendar    HEALTHY     1.00      1       0     3.0 ms     3.0 ms  CLOSED
            """);
  }

  @Test
  void theReportOfNothingIsItsHeadings() {
    assertThat(registry(1).healthReport()).startsWith("tool  status  score").hasLineCount(1);
  }

  @Test
  void aLongNameDoesNotBreakTheReport() {
    ToolHealthRegistry registry = registry(1);
    registry.recordSuccess("x".repeat(1_000), 1);
    assertThat(registry.healthReport()).contains("x".repeat(39) + "…  HEALTHY");
  }

  @Test
  void aNameThatJustFitsTheReportIsLeftAsItIs() {
    ToolHealthRegistry registry = registry(1);
    registry.recordSuccess("x".repeat(40), 1);
    assertThat(registry.healthReport()).contains("x".repeat(40) + "  HEALTHY");
  }
}

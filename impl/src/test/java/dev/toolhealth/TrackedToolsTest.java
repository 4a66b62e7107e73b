package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tools that a registry keeps: REG-7, configurations of single tools, forgotten tools. */
class TrackedToolsTest {
  private static final int DEFAULT_BOUND = 100_000;

  private final ManualClock clock = new ManualClock();

  private ToolHealthRegistry registry(int maxTools) {
    return ToolHealthRegistry.builder()
        .config(CircuitBreakerConfig.ofDefaults().withFailureThreshold(1))
        .nanoClock(clock)
        .maxUnnamedTools(maxTools)
        .build();
  }

  private void at(long millis) {
    clock.set(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Field case C28: a model makes names up. */
  @Test
  void aMillionMadeUpNamesAreLetThroughAndNotTracked() {
    ToolHealthRegistry registry = ToolHealthRegistry.ofDefaults();
    registry.recordFailureNanos("known", 1);
    for (int i = 0; i < 1_000_000; i++) {
      String name = "made-up-" + i;
      assertThat(registry.allowRequest(name)).isTrue();
      registry.recordFailureNanos(name, 1);
    }
    assertThat(registry.toolCount()).isEqualTo(DEFAULT_BOUND);
    assertThat(registry.untrackedOutcomes()).isEqualTo(1_000_000 - DEFAULT_BOUND + 1);
    assertThat(registry.snapshot("known").failures()).isEqualTo(1);
    assertThat(registry.healthSummary()).hasSize(DEFAULT_BOUND);
  }

  @Test
  void atTheBoundNothingThatIsTrackedIsEvicted() {
    ToolHealthRegistry registry = registry(2);
    registry.recordFailureNanos("a", 1);
    registry.recordSuccessNanos("b", 1);
    for (int i = 0; i < 5; i++) {
      registry.recordFailureNanos("c", 1);
      assertThat(registry.allowRequest("c")).isTrue();
    }
    registry.recordSuccessNanos("d", 1);
    assertThat(registry.toolCount()).isEqualTo(2);
    assertThat(registry.untrackedOutcomes()).isEqualTo(6);
    assertThat(registry.allowRequest("a")).isFalse();
    assertThat(registry.snapshot("b").successes()).isEqualTo(1);
    assertThat(registry.snapshot("c").total()).isZero();
    assertThat(registry.isToolAvailable("c")).isTrue();
    assertThat(registry.healthSummary()).containsOnlyKeys("a", "b");
    Permit permit = registry.tryAcquire("c");
    permit.failureNanos(1);
    assertThat(registry.untrackedOutcomes()).isEqualTo(7);
  }

  @Test
  void whatIsForgottenMakesRoom() {
    ToolHealthRegistry registry = registry(1);
    registry.recordFailureNanos("a", 1);
    assertThat(registry.forget("b")).isFalse();
    assertThat(registry.forget("a")).isTrue();
    assertThat(registry.forget("a")).isFalse();
    registry.recordFailureNanos("b", 1);
    assertThat(registry.allowRequest("b")).isFalse();
    registry.recordFailureNanos("c", 1);
    assertThat(registry.allowRequest("c")).isTrue();
    assertThat(registry.toolCount()).isEqualTo(1);
  }

  /** REG-6: only the first use of a name may take a lock, and only if it could be tracked. */
  @Test
  @Timeout(60)
  void aCallUnderAnUntrackedNameTakesNoLock() throws Exception {
    ToolHealthRegistry registry = registry(1);
    registry.recordFailureNanos("tracked", 1);
    Field field = ToolHealthRegistry.class.getDeclaredField("tools");
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<String, ToolHealth> tools = (Map<String, ToolHealth>) field.get(registry);
    // A thread for each, because one blocks and the common pool of a small machine has one thread.
    Executor threads = task -> new Thread(task).start();
    CountDownLatch isLocked = new CountDownLatch(1);
    CountDownLatch isCalled = new CountDownLatch(1);
    CompletableFuture<Void> holder =
        CompletableFuture.runAsync(
            () ->
                tools.computeIfAbsent(
                    "made-up",
                    name -> {
                      isLocked.countDown();
                      await(isCalled);
                      return null;
                    }),
            threads);
    await(isLocked);
    CompletableFuture<Void> caller =
        CompletableFuture.runAsync(
            () -> {
              assertThat(registry.allowRequest("made-up")).isTrue();
              registry.recordFailureNanos("made-up", 1);
            },
            threads);
    try {
      caller.get(10, TimeUnit.SECONDS);
    } finally {
      isCalled.countDown();
      holder.join();
    }
    assertThat(registry.untrackedOutcomes()).isEqualTo(1);
    registry.forget("tracked");
    registry.recordFailureNanos("made-up", 1);
    assertThat(registry.snapshot("made-up").failures()).isEqualTo(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
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
                    registry.recordSuccessNanos("tool-" + (offset + i), 1);
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

  /** As reported: calls under invented names used up the places of real tools. */
  @Test
  void madeUpNamesDoNotDisableTheBreakerOfAConfiguredTool() {
    ToolHealthRegistry registry = registry(1_000);
    registry.configure("search", CircuitBreakerConfig.ofDefaults());
    makeUpNames(registry, 5_000);
    for (int i = 0; i < 3; i++) {
      assertThat(registry.allowRequest("search")).isTrue();
      registry.recordFailureNanos("search", 1);
    }
    assertThat(registry.allowRequest("search")).isFalse();
    assertThat(registry.snapshot("search").failures()).isEqualTo(3);
    assertThat(registry.toolCount()).isEqualTo(1_001);
    assertThat(registry.untrackedOutcomes()).isEqualTo(4_000);
  }

  @Test
  void aHandleIsAlwaysTrackedAndHasItsOwnFigures() {
    ToolHealthRegistry registry = registry(1_000);
    makeUpNames(registry, 5_000);
    ToolHealth handle = registry.tool("handle");
    assertThat(handle.snapshot().total()).isZero();
    handle.recordFailureNanos(1);
    assertThat(handle.isAvailable()).isFalse();
    assertThat(registry.snapshot("handle").failures()).isEqualTo(1);
    assertThat(registry.find("handle")).containsSame(handle);
    assertThat(registry.allowRequest("handle")).isFalse();
  }

  private static void makeUpNames(ToolHealthRegistry registry, int count) {
    for (int i = 0; i < count; i++) {
      registry.recordFailureNanos("made-up-" + i, 1);
    }
  }

  /** Reads of an untracked name answer as for a new tool, never with the figures of others. */
  @Test
  void anUntrackedNameReadsAsANewTool() {
    ToolHealthRegistry registry = registry(0);
    makeUpNames(registry, 10);
    assertThat(registry.snapshot("made-up-1"))
        .usingRecursiveComparison()
        .ignoringFields("tool")
        .isEqualTo(registry.snapshot("never seen"));
    assertThat(registry.healthStatus("made-up-1")).isEqualTo(HealthStatus.HEALTHY);
    assertThat(registry.isToolAvailable("made-up-1")).isTrue();
    assertThat(registry.find("made-up-1")).isEmpty();
    assertThat(registry.healthSummary()).isEmpty();
  }

  /** A tool that the program names later returns its place, and returns it only once. */
  @Test
  void aToolThatIsNamedLaterTakesNoPlaceAnyMore() {
    ToolHealthRegistry registry = registry(2);
    registry.recordFailureNanos("a", 1);
    registry.recordFailureNanos("b", 1);
    assertThat(registry.tool("a")).isSameAs(registry.tool("a"));
    registry.configure("a", CircuitBreakerConfig.ofDefaults());
    registry.configure("b", CircuitBreakerConfig.ofDefaults());
    registry.configure("b", CircuitBreakerConfig.ofDefaults());
    assertThat(registry.allowRequest("a")).isFalse(); // still the same breaker
    makeUpNames(registry, 5);
    assertThat(registry.toolCount()).isEqualTo(4);
    registry.forget("a");
    registry.forget("b");
    registry.recordFailureNanos("b", 1);
    assertThat(registry.toolCount()).isEqualTo(3);
    makeUpNames(registry, 10);
    assertThat(registry.toolCount()).isEqualTo(3);
  }

  /** No place is lost when tools are called and named at the same time. */
  @Test
  void namingToolsWhileTheyAreCalledKeepsTheBoundExact() throws Exception {
    for (int round = 0; round < 200; round++) {
      ToolHealthRegistry registry = registry(10);
      CompletableFuture<Void> calls =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 20; i++) {
                  registry.recordSuccessNanos("tool-" + i, 1);
                }
              });
      for (int i = 0; i < 20; i++) {
        if (i % 2 == 0) {
          registry.tool("tool-" + i);
        } else {
          registry.configure("tool-" + i, CircuitBreakerConfig.ofDefaults());
        }
      }
      calls.join();
      makeUpNames(registry, 30);
      long madeUp =
          registry.healthSummary().keySet().stream().filter(n -> n.startsWith("made")).count();
      assertThat(madeUp).isEqualTo(10);
    }
  }

  @Test
  void forgettingToolsWhileTheyAreCalledKeepsTheBoundExact() throws Exception {
    for (int round = 0; round < 200; round++) {
      ToolHealthRegistry registry = registry(5);
      CompletableFuture<Void> calls =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 200; i++) {
                  registry.recordSuccessNanos("tool-" + i % 8, 1);
                }
              });
      for (int i = 0; i < 200; i++) {
        registry.forget("tool-" + i % 8);
      }
      calls.join();
      makeUpNames(registry, 10);
      assertThat(registry.toolCount()).isEqualTo(5);
    }
  }

  @Test
  void aBoundOfZeroTracksNothing() {
    ToolHealthRegistry registry = registry(0);
    registry.recordFailureNanos("a", 1);
    assertThat(registry.allowRequest("a")).isTrue();
    assertThat(registry.toolCount()).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry(-1))
        .withMessage("maxUnnamedTools is -1 but must be 0 or more");
  }

  /** Field case C28: handles and permits of a forgotten tool do not affect the new tool. */
  @Test
  void whatIsForgottenDoesNotComeBack() {
    ToolHealthRegistry registry = registry(10);
    Permit old = registry.tryAcquire("x");
    ToolHealth oldHandle = registry.tool("x");
    registry.recordFailureNanos("x", 1);
    at(1_000);
    assertThat(registry.forget("x")).isTrue();
    at(2_000);
    old.failureNanos(1);
    oldHandle.recordFailureNanos(1);
    assertThat(registry.toolCount()).isZero();
    at(3_000);
    assertThat(registry.allowRequest("x")).isTrue();
    assertThat(registry.snapshot("x").total()).isZero();
    assertThat(registry.tool("x")).isNotSameAs(oldHandle);
  }

  /** Field case C28: the old tool's probe must not close the new tool's breaker. */
  @Test
  void aProbeThatWasForgottenDecidesNothing() {
    ToolHealthRegistry registry = registry(10);
    registry.recordFailureNanos("x", 1);
    at(30_000);
    Permit p = registry.tryAcquire("x");
    registry.forget("x");
    registry.recordFailureNanos("x", 1);
    at(60_000);
    Permit q = registry.tryAcquire("x");
    p.successNanos(1);
    assertThat(registry.snapshot("x").circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    q.successNanos(1);
    assertThat(registry.snapshot("x").circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  /** Field case C28: the registry keeps no reference to a forgotten tool. */
  @Test
  @Timeout(60)
  @SuppressWarnings("try") // the listener stays until the end of the block
  void whatIsForgottenCanBeCollected() throws InterruptedException {
    ToolHealthRegistry registry = registry(10);
    try (ToolListener.Registration ignored = registry.addListener(transition -> {})) {
      registry.recordFailureNanos("x", 1);
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
    CircuitBreakerConfig patient = CircuitBreakerConfig.ofDefaults().withFailureThreshold(2);
    registry.recordFailureNanos("early", 1);
    registry.configure("early", patient);
    registry.configure("own", patient);
    registry.configure(
        CircuitBreakerConfig.ofDefaults()
            .withFailureThreshold(1)
            .withRecoveryDuration(Duration.ofMillis(5)));
    registry.recordFailureNanos("own", 1);
    registry.recordFailureNanos("other", 1);
    assertThat(registry.allowRequest("early")).isFalse();
    assertThat(registry.allowRequest("own")).isTrue();
    assertThat(registry.allowRequest("other")).isFalse();
    registry.forget("early");
    registry.recordFailureNanos("early", 1);
    assertThat(registry.allowRequest("early")).isTrue();
    at(5);
    assertThat(registry.allowRequest("other")).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void nullsAreRefusedByName() {
    ToolHealthRegistry registry = registry(10);
    assertThatNullPointerException().isThrownBy(() -> registry.forget(null)).withMessage("tool");
    assertThatNullPointerException()
        .isThrownBy(() -> registry.configure(null, CircuitBreakerConfig.ofDefaults()))
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
        ToolHealthRegistry.builder().nanoClock(clock).maxUnnamedTools(10).build();
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
    registry.recordSuccessNanos("x".repeat(1_000), 1);
    assertThat(registry.healthReport()).contains("x".repeat(39) + "…  HEALTHY");
  }

  /** A model may make names up, and a log or a terminal shows them. */
  @Test
  void aNameCannotControlTheTerminal() {
    ToolHealthRegistry registry = registry(10);
    for (String name : List.of("esc\u001b[2J", "csi\u009b2J", "bidi\u202e", "line\u2028")) {
      registry.recordSuccessNanos(name, 1);
    }
    assertThat(registry.healthReport())
        .contains("esc?[2J ", "csi?2J ", "bidi? ", "line? ")
        .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}&&[^\n]]");
  }

  /** The cut never leaves half a surrogate pair. */
  @Test
  void aLongNameIsCutBetweenCodePoints() {
    ToolHealthRegistry registry = registry(10);
    registry.recordSuccessNanos("x".repeat(38) + "\uD83D\uDE00".repeat(2), 1);
    registry.recordSuccessNanos("y".repeat(37) + "\uD83D\uDE00".repeat(2), 1);
    assertThat(registry.healthReport())
        .contains("x".repeat(38) + "… ", "y".repeat(37) + "\uD83D\uDE00… ");
  }

  @Test
  void aNameThatJustFitsTheReportIsLeftAsItIs() {
    ToolHealthRegistry registry = registry(1);
    registry.recordSuccessNanos("x".repeat(40), 1);
    assertThat(registry.healthReport()).contains("x".repeat(40) + "  HEALTHY");
  }
}

package dev.toolhealth;

import static dev.toolhealth.Transition.Cause.LEASE_EXPIRED;
import static dev.toolhealth.Transition.Cause.PROBE_CANCELLED;
import static dev.toolhealth.Transition.Cause.PROBE_FAILED;
import static dev.toolhealth.Transition.Cause.PROBE_GRANTED;
import static dev.toolhealth.Transition.Cause.PROBE_SUCCEEDED;
import static dev.toolhealth.Transition.Cause.TRIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests listeners, with times in milliseconds. */
@Timeout(60)
class ToolListenerTest {
  private static final String TOOL = "search";

  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry = ToolHealthRegistry.builder().nanoClock(clock).build();
  private final List<Transition> told = new CopyOnWriteArrayList<>();

  private void at(long millis) {
    clock.set(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void failures(int count) {
    for (int i = 0; i < count; i++) {
      registry.recordFailureNanos(TOOL, 1);
    }
  }

  private static Transition transition(Transition.Cause cause, long millis) {
    return new Transition(TOOL, cause, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Field case C31. */
  @Test
  void isToldOnceOfEachTransitionWhateverOthersDo() {
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("dev.toolhealth");
    Handler handler = handler(logged);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      registry.addListener(
          transition -> {
            throw new IllegalStateException("always");
          });
      registry.addListener(told::add);
      List<Boolean> answers = new ArrayList<>();
      registry.addListener(
          transition -> {
            answers.add(registry.isToolAvailable(TOOL));
            answers.add(registry.snapshot(TOOL).circuitState() == transition.to());
            answers.add(registry.allowRequest(TOOL));
          });
      for (long millis : new long[] {1_000, 2_000, 3_000, 4_000}) {
        at(millis);
        failures(1);
      }
      at(33_999);
      assertThat(registry.allowRequest(TOOL)).isFalse();
      at(34_000);
      assertThat(registry.allowRequest(TOOL)).isTrue();
      at(34_500);
      registry.recordSuccessNanos(TOOL, 1);
      registry.recordSuccessNanos(TOOL, 1);

      assertThat(told)
          .containsExactly(
              transition(TRIPPED, 3_000),
              transition(PROBE_GRANTED, 34_000),
              transition(PROBE_SUCCEEDED, 34_500));
      assertThat(answers).containsExactly(false, true, false, false, true, false, true, true, true);
      assertThat(registry.snapshot(TOOL).failures()).isEqualTo(4);
      assertThat(registry.snapshot(TOOL).successes()).isEqualTo(2);
      assertThat(logged)
          .hasSize(3)
          .allSatisfy(record -> assertThat(record.getThrown()).hasMessage("always"));
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
  }

  private static Handler handler(List<LogRecord> records) {
    return new Handler() {
      @Override
      public void publish(LogRecord record) {
        records.add(record);
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void knowsEveryCause() {
    registry.addListener(told::add);
    failures(3);
    at(30_000);
    registry.tryAcquire(TOOL).failureNanos(1);
    at(60_000);
    registry.tryAcquire(TOOL).cancel();
    registry.tryAcquire(TOOL).successNanos(1);
    assertThat(told)
        .containsExactly(
            transition(TRIPPED, 0),
            transition(PROBE_GRANTED, 30_000),
            transition(PROBE_FAILED, 30_000),
            transition(PROBE_GRANTED, 60_000),
            transition(PROBE_CANCELLED, 60_000),
            transition(PROBE_GRANTED, 60_000),
            transition(PROBE_SUCCEEDED, 60_000));
    assertThat(told)
        .extracting(Transition::from)
        .startsWith(CircuitState.CLOSED, CircuitState.OPEN, CircuitState.HALF_OPEN);
    assertThat(told).extracting(Transition::to).endsWith(CircuitState.CLOSED);
  }

  /** Any write reports the expiry, with the time of the lease's end. A read never does. */
  @Test
  @SuppressWarnings("try") // the listener is registered until the block ends
  void anExpiredLeaseIsToldOfByTheNextThatMayChangeTheBreaker() {
    List<Runnable> noticing =
        List.of(
            () -> registry.allowRequest(TOOL),
            () -> registry.tryAcquire(TOOL),
            () -> registry.recordSuccessNanos(TOOL, 1),
            () -> registry.recordFailureNanos(TOOL, 1));
    for (Runnable notice : noticing) {
      told.clear();
      registry.forget(TOOL);
      try (ToolListener.Registration ignored = registry.addListener(told::add)) {
        at(0);
        failures(3);
        at(30_000);
        registry.allowRequest(TOOL);
        at(70_000);
        registry.isToolAvailable(TOOL);
        registry.snapshot(TOOL);
        registry.healthSummary();
        assertThat(told).hasSize(2);
        notice.run();
        notice.run();
        assertThat(told).hasSize(3).last().isEqualTo(transition(LEASE_EXPIRED, 60_000));
      }
    }
  }

  @Test
  void anExpiryAndTheNextGrantAreTwoTransitions() {
    registry.addListener(told::add);
    failures(3);
    at(30_000);
    registry.allowRequest(TOOL);
    at(90_000);
    assertThat(registry.allowRequest(TOOL)).isTrue();
    assertThat(told)
        .endsWith(
            transition(PROBE_GRANTED, 30_000),
            transition(LEASE_EXPIRED, 60_000),
            transition(PROBE_GRANTED, 90_000));
  }

  @Test
  void aListenerThatComesLateIsToldOfWhatComesThen() {
    failures(3);
    registry.addListener(told::add);
    at(30_000);
    registry.allowRequest(TOOL);
    assertThat(told).containsExactly(transition(PROBE_GRANTED, 30_000));
  }

  @Test
  void aListenerCanTakeItselfAway() {
    List<ToolListener.Registration> own = new ArrayList<>();
    own.add(
        registry.addListener(
            transition -> {
              told.add(transition);
              own.get(0).close();
            }));
    failures(3);
    at(30_000);
    registry.allowRequest(TOOL);
    assertThat(told).containsExactly(transition(TRIPPED, 0));
  }

  /** Field case C31: a removed listener does not even receive the current transition. */
  @Test
  void aListenerThatIsTakenAwayByOneBeforeItIsToldNoMore() {
    List<ToolListener.Registration> later = new ArrayList<>();
    registry.addListener(transition -> later.get(0).close());
    later.add(registry.addListener(told::add));
    failures(3);
    assertThat(told).isEmpty();
  }

  /** A broken log must neither strand a probe nor stop the tool's later notifications. */
  @Test
  void aListenerThatFailsWhereTheLogFailsTooHarmsNobody() {
    Logger logger = Logger.getLogger("dev.toolhealth");
    Handler broken = new BrokenHandler();
    logger.addHandler(broken);
    logger.setUseParentHandlers(false);
    try {
      registry.addListener(
          transition -> {
            throw new StackOverflowError();
          });
      registry.addListener(told::add);
      failures(3);
      at(30_000);
      assertThat(registry.tryAcquire(TOOL).isGranted()).isTrue();
      assertThat(told).extracting(Transition::cause).containsExactly(TRIPPED, PROBE_GRANTED);
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(broken);
    }
  }

  private static final class BrokenHandler extends Handler {
    @Override
    public void publish(LogRecord record) {
      throw new IllegalStateException("disk full");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Recording never waits for a listener that runs in another thread. */
  @Test
  void aSlowListenerKeepsNobodyElseWaiting() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    registry.addListener(
        transition -> {
          inside.countDown();
          await(release);
          told.add(transition);
        });
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> slow = other.submit(() -> failures(3));
      inside.await();
      at(30_000);
      assertThat(registry.allowRequest(TOOL)).isTrue();
      registry.recordSuccessNanos(TOOL, 1);
      assertThat(told).isEmpty();
      release.countDown();
      slow.get();
      assertThat(told)
          .extracting(Transition::cause)
          .containsExactly(TRIPPED, PROBE_GRANTED, PROBE_SUCCEEDED);
    } finally {
      other.shutdownNow();
    }
  }

  /** Closing does not wait for a running notification, and no other notification follows. */
  @Test
  void afterItWasTakenAwayAListenerIsToldOfNothingNew() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    ToolListener.Registration registration =
        registry.addListener(
            transition -> {
              inside.countDown();
              await(release);
              told.add(transition);
            });
    Thread slow = new Thread(() -> failures(3));
    slow.start();
    inside.await();
    registration.close();
    at(30_000);
    assertThat(registry.allowRequest(TOOL)).isTrue();
    release.countDown();
    slow.join();
    registry.recordSuccessNanos(TOOL, 1);
    assertThat(told).containsExactly(transition(TRIPPED, 0));
  }

  @Test
  void aListenerThatWasAddedTwiceIsToldTwiceUntilOneOfThemIsTakenAway() {
    ToolListener listener = told::add;
    registry.addListener(listener);
    ToolListener.Registration second = registry.addListener(listener);
    failures(3);
    assertThat(told).hasSize(2);
    second.close();
    second.close();
    at(30_000);
    registry.allowRequest(TOOL);
    assertThat(told).hasSize(3);
  }

  /**
   * Every level of the recursion records the overflow of the deeper levels with hardly any stack.
   */
  @Test
  void aTripWithHardlyAnyStackLeftDoesNotEndTheNews() throws Exception {
    registry.addListener(told::add);
    for (int i = 0; i < 20; i++) {
      String tool = "tool " + i;
      registry.tool(tool);
      Thread deep = new Thread(null, () -> overflow(tool), "deep", 256 * 1024);
      deep.setUncaughtExceptionHandler((thread, overflow) -> {}); // expected
      deep.start();
      deep.join();
      at((i + 1) * 60_000L);
      assertThat(registry.allowRequest(tool)).isTrue();
      assertThat(told)
          .last()
          .isEqualTo(new Transition(tool, PROBE_GRANTED, TimeUnit.MINUTES.toNanos(i + 1)));
    }
  }

  @SuppressWarnings("InfiniteRecursion") // tests the overflow
  private void overflow(String tool) {
    try {
      overflow(tool);
    } catch (StackOverflowError e) {
      registry.recordFailureNanos(tool, 1);
      throw e;
    }
  }

  /** Field case C31: every transition starts in the end state of the previous transition. */
  @Test
  void theTransitionsOfAToolAreAChainUnderEightThreads() throws Exception {
    AtomicLong ticks = new AtomicLong();
    ToolHealthRegistry shared =
        ToolHealthRegistry.builder()
            .config(
                CircuitBreakerConfig.ofDefaults()
                    .withFailureThreshold(2)
                    .withRecoveryDuration(Duration.ofNanos(3))
                    .withProbeTimeout(Duration.ofNanos(5)))
            .nanoClock(ticks::incrementAndGet)
            .build();
    ConcurrentLinkedQueue<Transition> chain = new ConcurrentLinkedQueue<>();
    shared.addListener(chain::add);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        Random random = new Random(thread);
        running.add(threads.submit(() -> churn(shared, random)));
      }
      for (Future<?> done : running) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    shared.allowRequest(TOOL); // notices an expired lease
    CircuitState state = CircuitState.CLOSED;
    for (Transition transition : chain) {
      assertThat(transition.from()).isEqualTo(state);
      state = transition.to();
    }
    assertThat(chain).extracting(Transition::cause).contains(Transition.Cause.values());
    CircuitState last = state;
    assertThat(shared.snapshot(TOOL).circuitState()).isIn(last, CircuitState.OPEN);
  }

  private static void churn(ToolHealthRegistry registry, Random random) {
    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(6)) {
        case 0 -> registry.recordSuccessNanos(TOOL, 1);
        case 1, 2 -> registry.recordFailureNanos(TOOL, 1);
        case 3 -> registry.allowRequest(TOOL);
        case 4 -> registry.tryAcquire(TOOL).cancel();
        default -> {
          Permit permit = registry.tryAcquire(TOOL);
          if (permit.isGranted()) {
            report(permit, random.nextBoolean());
          }
        }
      }
    }
  }

  private static void report(Permit permit, boolean success) {
    if (success) {
      permit.successNanos(1);
    } else {
      permit.failureNanos(1);
    }
  }

  /** A listener that logs all events and whether the tool is tracked at that moment. */
  private record Newspaper(ToolHealthRegistry registry, List<String> news) implements ToolListener {
    @Override
    public void onTransition(Transition transition) {
      news.add(transition.cause() + " " + transition.tool());
    }

    @Override
    public void onTracked(String tool) {
      news.add("tracked " + tool + ", " + registry.find(tool).isPresent());
    }

    @Override
    public void onForgotten(String tool) {
      news.add("forgotten " + tool + ", " + registry.find(tool).isPresent());
    }
  }

  @Test
  void isToldOfToolsThatComeAndGo() {
    List<String> news = new ArrayList<>();
    registry.addListener(new Newspaper(registry, news));
    registry.isToolAvailable(TOOL);
    registry.snapshot(TOOL);
    failures(3);
    registry.tool(TOOL);
    registry.forget(TOOL);
    registry.forget(TOOL);
    registry.recordSuccessNanos(TOOL, 1);
    assertThat(news)
        .containsExactly(
            "tracked search, true",
            "TRIPPED search",
            "forgotten search, false",
            "tracked search, true");
  }

  @Test
  void isNotToldOfANameThatThereIsNoRoomFor() {
    ToolHealthRegistry full =
        ToolHealthRegistry.builder().nanoClock(clock).maxUnnamedTools(0).build();
    List<String> news = new ArrayList<>();
    full.addListener(new Newspaper(full, news));
    full.recordSuccessNanos(TOOL, 1);
    assertThat(full.untrackedOutcomes()).isEqualTo(1);
    assertThat(news).isEmpty();
  }

  /** The last notification for a name can say "tracked" although the name was forgotten. */
  @Test
  void newsOfANameThatComesAndGoesMayComeInAnyOrder() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    List<String> news = new CopyOnWriteArrayList<>();
    registry.addListener(
        new ToolListener() {
          @Override
          public void onTransition(Transition transition) {}

          @Override
          public void onTracked(String tool) {
            inside.countDown();
            await(release);
          }
        });
    registry.addListener(new Newspaper(registry, news));
    Thread slow = new Thread(() -> registry.tool(TOOL));
    slow.start();
    inside.await();
    registry.forget(TOOL);
    release.countDown();
    slow.join();
    assertThat(news).containsExactly("forgotten search, false", "tracked search, false");
  }

  @Test
  void namesAreOnesOwn() {
    registry.addListener(told::add);
    for (String tool : Arrays.asList("a", "b")) {
      for (int i = 0; i < 3; i++) {
        registry.recordFailureNanos(tool, 1);
      }
    }
    assertThat(told).extracting(Transition::tool).containsExactly("a", "b");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

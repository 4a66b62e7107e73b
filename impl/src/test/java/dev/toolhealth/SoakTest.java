package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.dispatch.ToolDispatcher;
import dev.toolhealth.dispatch.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Makes a million calls to fifty tools. The calls succeed, fail, hang or are cancelled, and
 * listeners throw. At the end every count must be exact and no breaker stuck.
 */
@Timeout(300)
class SoakTest {
  private static final long SEED = 20_260_101;
  private static final int THREADS = 4;
  private static final int CALLS = 250_000;
  private static final int TOOLS = 50;

  /** The number of hanging calls per thread. Later calls make their results stale. */
  private static final int HANGING = 16;

  private final Logger logger = Logger.getLogger("dev.toolhealth");
  private final AtomicLong clock = new AtomicLong();
  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder()
          .config(
              CircuitBreakerConfig.ofDefaults()
                  .withRecoveryDuration(Duration.ofNanos(2_000))
                  .withProbeTimeout(Duration.ofNanos(1_000)))
          .nanoClock(clock::incrementAndGet)
          .build();
  private final ToolDispatcher dispatcher = new ToolDispatcher(registry);

  private final AtomicLongArray successes = new AtomicLongArray(TOOLS);
  private final AtomicLongArray failures = new AtomicLongArray(TOOLS);
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong cancellations = new AtomicLong();
  private final AtomicLongArray transitions = new AtomicLongArray(TOOLS);

  @BeforeEach
  void keepTheLogShort() {
    logger.setLevel(Level.OFF); // a listener throws thousands of times
  }

  @AfterEach
  void logAgain() {
    logger.setLevel(null);
  }

  @Test
  void everyCountIsExactAndNoBreakerIsStuck() throws Exception {
    System.out.println("SoakTest: seed " + SEED);
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    registry.addListener(t -> transitions.incrementAndGet(Integer.parseInt(t.tool())));
    registry.addListener(
        transition -> {
          throw new IllegalStateException("a listener that throws");
        });
    List<Thread> workers = new ArrayList<>();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread worker = new Thread(task);
              workers.add(worker);
              return worker;
            });
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(SEED + thread);
        running.add(threads.submit(() -> callTools(random)));
      }
      for (Future<?> done : running) {
        done.get();
      }
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
    for (Thread worker : workers) {
      worker.join(); // a pool terminates just before its threads do
    }

    long recorded = 0;
    for (int tool = 0; tool < TOOLS; tool++) {
      ToolSnapshot snapshot = registry.snapshot(name(tool));
      assertThat(snapshot.successes()).isEqualTo(successes.get(tool));
      assertThat(snapshot.failures()).isEqualTo(failures.get(tool));
      recorded += snapshot.total();
      if (tool > TOOLS / 2) {
        assertThat(transitions.get(tool)).isPositive(); // the later half fails often enough to trip
      }
    }
    assertThat(recorded + refusals.get() + cancellations.get()).isEqualTo((long) THREADS * CALLS);
    assertThat(refusals.get()).isPositive();
    assertThat(cancellations.get()).isPositive();
    assertRecovers();
    assertThat(threadsSince(before)).isEmpty();
  }

  /** Asserts that after a lease and a cooldown every tool is probed and its breaker closes. */
  private void assertRecovers() {
    clock.addAndGet(10_000);
    for (int tool = 0; tool < TOOLS; tool++) {
      assertThat(dispatcher.dispatch(name(tool), name -> "fine"))
          .isInstanceOf(ToolResult.Completed.class);
      assertThat(registry.snapshot(name(tool)).circuitState()).isEqualTo(CircuitState.CLOSED);
    }
  }

  private static Set<Thread> threadsSince(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread) && !thread.isDaemon())
        .collect(Collectors.toSet());
  }

  private static String name(int tool) {
    return Integer.toString(tool);
  }

  private void callTools(Random random) {
    List<CompletableFuture<String>> hanging = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      int tool = random.nextInt(TOOLS);
      int fate = random.nextInt(100);
      if (fate < 80) {
        callNow(tool, fate, random);
      } else {
        callLater(tool, random, hanging);
      }
      if (hanging.size() > HANGING) {
        end(hanging.remove(random.nextInt(HANGING)), random);
      }
    }
    hanging.forEach(stage -> end(stage, random));
  }

  private void callNow(int tool, int fate, Random random) {
    boolean fails = random.nextInt(100) < tool; // the last tools fail almost always
    try {
      ToolResult<String> result =
          dispatcher.dispatch(
              name(tool),
              name -> {
                if (fate == 0) {
                  throw new CancellationException("stop");
                }
                if (fails) {
                  throw new IOException("no route");
                }
                return "fine";
              });
      count(tool, result);
    } catch (CancellationException stop) {
      cancellations.incrementAndGet();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a missing count fails the test at the end
  private void callLater(int tool, Random random, List<CompletableFuture<String>> hanging) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<ToolResult<String>> result =
        dispatcher.dispatchAsync(name(tool), name -> stage);
    result.whenComplete(
        (done, givenUp) -> {
          if (givenUp != null) {
            cancellations.incrementAndGet();
          } else {
            count(tool, done);
          }
        });
    if (result.isDone()) {
      return;
    }
    if (random.nextInt(10) == 0) {
      result.cancel(true);
    } else {
      hanging.add(stage);
    }
  }

  private static void end(CompletableFuture<String> stage, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> stage.completeExceptionally(new IOException("no route"));
      case 1 -> stage.cancel(true);
      default -> stage.complete("fine at last");
    }
  }

  private void count(int tool, ToolResult<String> result) {
    if (result instanceof ToolResult.Completed) {
      successes.incrementAndGet(tool);
    } else if (result instanceof ToolResult.Failed) {
      failures.incrementAndGet(tool);
    } else {
      refusals.incrementAndGet();
    }
  }
}

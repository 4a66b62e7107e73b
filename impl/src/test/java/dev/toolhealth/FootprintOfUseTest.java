package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolhealth.dispatch.ToolCall;
import dev.toolhealth.dispatch.ToolDispatcher;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that use leaves no thread, timer or reference behind. Field case C34. */
@Timeout(120)
class FootprintOfUseTest {
  private static final int TOOLS = 10_000;

  private static ToolHealthRegistry registry() {
    return ToolHealthRegistry.builder()
        .config(CircuitBreakerConfig.ofDefaults().withFailureThreshold(1))
        .build();
  }

  @Test
  void tenThousandOpenBreakersStartNoThread() {
    int before = Thread.activeCount();
    ToolHealthRegistry registry = registry();
    registry.addListener(transition -> {});
    for (int i = 0; i < TOOLS; i++) {
      registry.recordFailureNanos("tool-" + i, 1);
      assertThat(registry.allowRequest("tool-" + i)).isFalse();
    }
    assertThat(Thread.activeCount()).isLessThanOrEqualTo(before);
  }

  @Test
  void aClassLoaderThatIsDroppedCanBeCollected() throws Exception {
    WeakReference<ClassLoader> loader = use();
    while (loader.get() != null) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Loads the library again, uses it with a listener, and drops all references. */
  private static WeakReference<ClassLoader> use() throws Exception {
    URL classes = ToolHealth.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(ToolHealthRegistry.class.getName());
      assertThat(type.getClassLoader()).isSameAs(loader);
      Object registry = type.getMethod("ofDefaults").invoke(null);
      Class<?> listener = loader.loadClass(ToolListener.class.getName());
      Object told =
          java.lang.reflect.Proxy.newProxyInstance(
              loader, new Class<?>[] {listener}, (proxy, method, args) -> null);
      type.getMethod("addListener", listener).invoke(registry, told);
      for (int i = 0; i < 4; i++) {
        type.getMethod("recordFailure", String.class, Duration.class)
            .invoke(registry, "search", Duration.ZERO);
      }
      assertThat(type.getMethod("allowRequest", String.class).invoke(registry, "search"))
          .isEqualTo(false);
      dispatch(loader, registry);
      return new WeakReference<>(loader);
    }
  }

  /** The dispatcher remembers facts about the classes of values, such as String. */
  private static void dispatch(ClassLoader loader, Object registry) throws Exception {
    Class<?> dispatcher = loader.loadClass(ToolDispatcher.class.getName());
    Class<?> call = loader.loadClass(ToolCall.class.getName());
    Object found =
        java.lang.reflect.Proxy.newProxyInstance(
            loader, new Class<?>[] {call}, (proxy, method, args) -> "found");
    Object result =
        dispatcher
            .getMethod("dispatch", String.class, call)
            .invoke(
                dispatcher.getConstructor(registry.getClass()).newInstance(registry),
                "lookup",
                found);
    assertThat(result).asString().contains("found");
  }

  /** From JDK 21 on, a blocking listener blocks its own virtual thread, but no carrier thread. */
  @Test
  void virtualThreadsAreNotPinned(@TempDir Path directory) throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "there are no virtual threads");
    Path file = directory.resolve("pinned.jfr");
    trip(registry()); // loads the classes first, because class loading pins
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold();
      recording.start();
      CountDownLatch release = new CountDownLatch(1);
      ToolHealthRegistry registry = registry();
      registry.addListener(transition -> await(release));
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < TOOLS; i++) {
        String tool = "tool-" + i % 100;
        threads.add(
            startVirtually(
                () -> {
                  registry.allowRequest(tool);
                  registry.recordFailureNanos(tool, 1);
                  registry.recordSuccessNanos(tool, 1);
                }));
      }
      release.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      recording.stop();
      recording.dump(file);
    }
    assertThat(RecordingFile.readAllEvents(file))
        .filteredOn(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
        .filteredOn(
            event ->
                event.getStackTrace() != null
                    && event.getStackTrace().getFrames().stream()
                        .anyMatch(
                            frame ->
                                frame.getMethod().getType().getName().startsWith("dev.toolhealth")))
        .isEmpty();
  }

  /**
   * Every call waits in its tool for all other calls, so a held carrier or lock would hang the
   * test.
   */
  @Test
  void toolsWaitInAsManyVirtualThreadsAsThereAre() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "there are no virtual threads");
    ToolHealthRegistry registry = registry();
    ToolDispatcher dispatcher = new ToolDispatcher(registry);
    CountDownLatch together = new CountDownLatch(TOOLS);
    ToolCall<String> waiting =
        tool -> {
          together.countDown();
          together.await();
          return tool;
        };
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < TOOLS; i++) {
      threads.add(startVirtually(() -> dispatcher.dispatch("search", waiting)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(registry.tool("search").snapshot().successes()).isEqualTo(TOOLS);
  }

  private static void trip(ToolHealthRegistry registry) {
    registry.addListener(transition -> {});
    registry.recordFailureNanos("search", 1);
    assertThat(registry.allowRequest("search")).isFalse();
    registry.recordSuccessNanos("search", 1);
  }

  // Uses reflection because the code is compiled for JDK 17.
  private static Thread startVirtually(Runnable task) throws ReflectiveOperationException {
    return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

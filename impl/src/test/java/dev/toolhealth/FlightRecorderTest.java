package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder()
          .config(CircuitBreakerConfig.ofDefaults().withFailureThreshold(1))
          .nanoClock(clock)
          .build();

  @Test
  void aRecordingShowsTransitionsAndRefusals(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("recording.jfr");
    registry.recordFailureNanos("before", 1);
    try (Recording recording = new Recording()) {
      recording.start();
      registry.recordFailureNanos("search", 1);
      registry.allowRequest("search");
      registry.tryAcquire("search");
      clock.set(Duration.ofSeconds(30).toNanos());
      registry.allowRequest("search");
      recording.stop();
      recording.dump(file);
    }
    registry.allowRequest("search");
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("dev.toolhealth."))
            .toList();
    assertThat(events)
        .extracting(FlightRecorderTest::words)
        .containsExactlyInAnyOrder(
            "Transition search CLOSED OPEN TRIPPED",
            "Refusal search",
            "Refusal search",
            "Transition search OPEN HALF_OPEN PROBE_GRANTED");
  }

  /** A runtime image made by {@code jlink} may lack the flight recorder. */
  @Test
  void aRuntimeWithoutARecorderGetsAlongWithoutEvents(@TempDir Path directory) throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.base",
                "-cp",
                origin(ToolHealthRegistry.class) + File.pathSeparator + origin(Bare.class),
                Bare.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(output).hasContent("jdk.jfr is there: false, tripped and refused: OPEN");
  }

  private static String origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** A program for a separate JVM. */
  static final class Bare {
    private Bare() {}

    public static void main(String[] args) {
      ToolHealth search =
          ToolHealthRegistry.builder()
              .config(CircuitBreakerConfig.ofDefaults().withFailureThreshold(1))
              .build()
              .tool("search");
      search.recordFailureNanos(1);
      boolean refused = !search.allowRequest() && !search.tryAcquire().isGranted();
      System.out.printf(
          "jdk.jfr is there: %s, tripped and refused: %s%n",
          ModuleLayer.boot().findModule("jdk.jfr").isPresent(),
          refused ? search.snapshot().circuitState() : "no");
    }
  }

  private static String words(RecordedEvent event) {
    String name = event.getEventType().getName().replace("dev.toolhealth.", "");
    return name.equals("Refusal")
        ? name + " " + event.getString("tool")
        : String.join(
            " ",
            name,
            event.getString("tool"),
            event.getString("from"),
            event.getString("to"),
            event.getString("cause"));
  }
}

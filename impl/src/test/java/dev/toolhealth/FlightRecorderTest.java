package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry =
      new ToolHealthRegistry(CircuitBreakerConfig.defaults().withFailureThreshold(1), clock);

  @Test
  void aRecordingShowsTransitionsAndRefusals(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("recording.jfr");
    registry.recordFailure("before", 1);
    try (Recording recording = new Recording()) {
      recording.start();
      registry.recordFailure("search", 1);
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

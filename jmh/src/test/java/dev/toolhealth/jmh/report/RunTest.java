package dev.toolhealth.jmh.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTest {
  private static Measurement of(double... sorted) {
    List<Double> forks = Arrays.stream(sorted).boxed().toList();
    return new Measurement(
        "Operations.Alone.recordSuccess",
        "avgt",
        Map.of(),
        "Mine",
        "HANDLE",
        1,
        false,
        "ns/op",
        forks,
        Map.of(),
        Map.of());
  }

  @Test
  void theMedianIsInTheMiddle() {
    assertThat(of(1).median()).isEqualTo(1);
    assertThat(of(1, 5).median()).isEqualTo(3);
    assertThat(of(1, 2, 9).median()).isEqualTo(2);
  }

  /** Each fork counts once, for any number of iterations. */
  @Test
  void aForkIsTheMeanOfItsIterations() throws IOException {
    Run run =
        Run.of(
            """
            [{"benchmark": "dev.toolhealth.jmh.Operations.Shared.recordMixed", "mode": "avgt",
              "threads": 2, "jdkVersion": "21.0.2", "vmName": "VM",
              "params": {"subject": "dev.toolhealth.jmh.peers.ArmeriaAdapter", "access": "NAME"},
              "primaryMetric": {"score": 5, "scoreUnit": "ns/op", "rawData": [[7, 9], [1, 3], [4]]},
              "secondaryMetrics": {
                "unexpected": {"score": 3, "scoreUnit": "#", "rawData": [[1, 0], [0, 2], [0]]},
                "slowestThread": {"score": 1, "scoreUnit": "%", "rawData": [[90, 80], [85, 85], [85]]}}}]
            """);
    assertThat(run.label()).isEqualTo("jdk21");
    Measurement measurement = run.find("recordMixed", "Armeria", "NAME", 2).orElseThrow();
    assertThat(measurement.forks()).containsExactly(2.0, 4.0, 8.0);
    assertThat(measurement.counted())
        .containsExactlyInAnyOrderEntriesOf(Map.of("unexpected", 3.0, "slowestThread", 85.0));
    assertThat(measurement.asExpected()).isFalse();
    assertThat(run.best(Subjects.PEERS::contains, "recordMixed", "NAME", 2))
        .as("the best subject without unexpected answers")
        .isEmpty();
  }

  @Test
  void whatIsNoResultIsRefused(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("other.json"), "{}");
    assertThatThrownBy(() -> Run.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(file + ": not JMH results, as written by -rf json");
  }
}

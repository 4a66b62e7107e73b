package dev.toolhealth.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.RunnerException;

class MainTest {
  private static final String BRIEFLY = "-wi 0 -i 1 -r 1ms -foe true ";

  private final PrintStream console = System.out;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, UTF_8));
  }

  @AfterEach
  void release() {
    System.setOut(console);
  }

  private static void run(String arguments) throws IOException, RunnerException {
    Main.main(arguments.split(" "));
  }

  /** Returns the cells of each row of the printed table. */
  private List<List<String>> rows() {
    return out.toString(UTF_8)
        .lines()
        .dropWhile(line -> !line.startsWith("|---"))
        .skip(1)
        .map(line -> Stream.of(line.split("[|]")).skip(1).map(String::strip).toList())
        .toList();
  }

  @Test
  void printsTheMedianOverTheForksAndTheRatio() throws Exception {
    run(BRIEFLY + "-f 2 Baselines.Alone.(atomicAdd|twoAtomicAdds)");
    assertThat(rows())
        .hasSize(2)
        .extracting(cells -> cells.get(0))
        .containsExactly("Baselines.Alone.atomicAdd", "Baselines.Alone.twoAtomicAdds");
    double yardstick = Double.parseDouble(rows().get(1).get(6));
    for (List<String> cells : rows()) {
      double median = Double.parseDouble(cells.get(6));
      double lowest = Double.parseDouble(cells.get(7));
      double highest = Double.parseDouble(cells.get(8));
      assertThat(median).isCloseTo((lowest + highest) / 2, within(0.02));
      double ratio = median / yardstick;
      // The table prints two decimals, so the ratio of printed figures is slightly off.
      assertThat(Double.parseDouble(cells.get(9))).isCloseTo(ratio, within(0.01 * (1 + ratio)));
    }
  }

  @Test
  void namesTheSubjectAndWhatElseWasCounted() throws Exception {
    run(BRIEFLY + "-f 0 -prof gc -p access=NAME Operations.Shared.allowAndRecord$");
    assertThat(out.toString(UTF_8)).contains("| B/op | unexpected |");
    assertThat(rows())
        .hasSize(2)
        .allSatisfy(
            cells -> {
              assertThat(cells.get(0)).isEqualTo("Operations.Shared.allowAndRecord");
              assertThat(cells.subList(2, 5)).containsExactly("NAME", "", "2");
              assertThat(cells.subList(9, 12)).as("ratios, without baselines").containsOnly("");
              assertThat(Double.parseDouble(cells.get(14))).as("B/op").isNotNegative();
              assertThat(cells.get(15)).as("unexpected").isEqualTo("0");
            });
    assertThat(rows())
        .extracting(cells -> cells.get(1))
        .containsExactlyInAnyOrder("Reference", "Locking");
  }

  @Test
  void leavesQuestionsToJmh() throws Exception {
    run("-l recordMixed");
    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "Benchmarks: ",
            "dev.toolhealth.jmh.Operations.Alone.recordMixed",
            "dev.toolhealth.jmh.Operations.Shared.recordMixed");
  }

  @Test
  void failsWhenThereIsNothingToRun() {
    assertThatThrownBy(() -> run("noSuchBenchmark")).isInstanceOf(NoBenchmarksException.class);
  }
}

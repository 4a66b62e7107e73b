package dev.toolhealth.examples.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.ToolHealthRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of the README. */
class ReadmeTest {
  static void bind(ToolHealthRegistry tools, MeterRegistry meterRegistry) {
    new ToolHealthMetrics(tools).bindTo(meterRegistry);
  }

  /** Every unlabelled block of code in the README occurs above. */
  @Test
  void theReadmesCodeCompiles() throws IOException {
    String above =
        withoutSpace(
            Files.readString(
                Path.of("src/test/java/dev/toolhealth/examples/micrometer/ReadmeTest.java")));
    List<String> blocks =
        Pattern.compile("(?ms)^```(\\w*)\\R(.*?)^```")
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .filter(block -> block.group(1).isEmpty())
            .map(block -> block.group(2))
            .toList();
    assertThat(blocks)
        .isNotEmpty()
        .allSatisfy(block -> assertThat(above).contains(withoutSpace(block)));
  }

  private static String withoutSpace(String code) {
    return code.replaceAll("//[^\n]*|\\s", "");
  }
}

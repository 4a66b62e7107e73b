package dev.toolhealth.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ComparisonTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine commandLine = Comparison.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  /**
   * Runs benchmarks in forked JVMs and writes the page. A subject that fails is reported and does
   * not stop the others. A subject without the needed capabilities is left out.
   */
  @Test
  void measuresAndWritesThePage(@TempDir Path directory) throws Exception {
    int code =
        run(
            "--quick",
            "--part=summary",
            "--label=here",
            "--subject=" + Failing.class.getName(),
            "--subject=" + SmokeTest.Contrary.class.getName(),
            "--out=" + directory);
    assertThat(code).isEqualTo(1);
    assertThat(out.toString())
        .contains("1 of 3 benchmarks failed", "IllegalStateException: not in the mood");
    assertThat(directory.resolve("benchmarks/here.json")).exists();
    assertThat(Files.readString(directory.resolve("benchmarks.md")))
        .containsPattern("[|] commit [|] ([0-9a-f]{12}|unknown)")
        .containsPattern("[|] tokens per microsecond [|] [0-9.]+ [|]")
        .contains("| warning | measured by --quick: the figures are useless |")
        .containsPattern("[|] healthSummary [|] Reference [|] HANDLE [|] 2 [|] here [|] [0-9.]+")
        .containsPattern("[|] recordBesideReader [|] Locking [|] HANDLE [|] 2 [|] here [|] [0-9.]+")
        .doesNotContain("Failing", "Contrary");
    Matcher log = Pattern.compile("output is in (.*);").matcher(out.toString());
    assertThat(log.find()).isTrue();
    Files.delete(Path.of(log.group(1)));
  }

  @Test
  void makesThePageAgainFromResults(@TempDir Path directory) throws Exception {
    Path saved = Path.of("src/test/resources/dev/toolhealth/jmh/report");
    String both = saved.resolve("jdk17.json") + "," + saved.resolve("jdk25.json");
    assertThat(run("--from=" + both, "--out=" + directory)).isZero();
    assertThat(directory.resolve("benchmarks.md"))
        .hasSameTextualContentAs(saved.resolve("expected.md"));
  }

  /** The page of the benchmarks promises about 45 minutes for each JDK. */
  @Test
  void theWholeComparisonTakesLessThanThreeQuartersOfAnHour() {
    assertThat(run("--dry-run")).isZero();
    assertThat(out.toString()).containsPattern("^[12][0-9]{2} benchmarks, about [34][0-9] min\\R$");
  }

  @Test
  void saysWhatIsWrong() {
    assertThat(run("--part=bar")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--part: unknown part bar; the parts are [bars,");
    err.getBuffer().setLength(0);
    assertThat(run("--subject=com.example.Missing")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("--subject: no class com.example.Missing on the class path");
    err.getBuffer().setLength(0);
    assertThat(run("--subject=java.lang.String")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--subject: java.lang.String is not an adapter");
    err.getBuffer().setLength(0);
    assertThat(run("--classpath=missing.jar")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--classpath: no such file or directory: ");
    err.getBuffer().setLength(0);
    assertThat(run("--quick")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--quick: its figures are useless");
    err.getBuffer().setLength(0);
    assertThat(run("--from=missing.json")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--from: no such file: ");
    err.getBuffer().setLength(0);
    assertThat(run("--from=pom.xml")).isEqualTo(2);
    assertThat(err.toString()).startsWith("--from: pom.xml cannot be read: ");
  }

  /** Declares everything that the summary needs, and then fails. */
  public static final class Failing implements Adapter {
    @Override
    public Set<Capability> capabilities() {
      return Set.of(Capability.SUMMARY, Capability.SCORE);
    }

    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      throw new IllegalStateException("not in the mood");
    }
  }
}

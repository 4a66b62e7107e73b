package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.learn.Learner;
import dev.toolhealth.tck.learn.Page;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that tests the reference and other libraries, and writes {@code conformance.md}. */
@Command(
    name = "conformance",
    description = "Tests the reference and other libraries, and writes conformance.md.",
    mixinStandardHelpOptions = true)
public final class Conformance implements Callable<Integer> {
  static final int RUNS = 3;

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      required = true,
      description = "The directory for conformance.md.")
  private Path directory = Path.of("");

  private Conformance() {}

  /**
   * Writes the page.
   *
   * @param arguments the options; {@code --help} lists them
   */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Conformance()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    List<Judgement> judgements =
        Compared.all().stream()
            .map(subject -> Judgement.of(subject, subject.onTheRealClock() ? RUNS : 1))
            .toList();
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("conformance.md"), ConformancePage.of(judgements, RUNS, picture()));
    return 0;
  }

  static String picture() {
    return Page.picture(new Learner(new ReferenceAdapter(), new Config(2, 2, 1)).learn());
  }
}

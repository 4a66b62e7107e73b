package dev.toolhealth.jmh;

import dev.toolhealth.jmh.Plan.Part;
import dev.toolhealth.jmh.report.Page;
import dev.toolhealth.jmh.report.Run;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that runs the whole comparison, keeps the results, and writes the page. */
@Command(
    name = "comparison",
    description =
        "Measures the reference implementation and other libraries, and writes benchmarks.md.",
    mixinStandardHelpOptions = true,
    version = "tool-health-jmh 0.1.0-SNAPSHOT",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeOnExecutionException = 3,
    exitCodeList = {
      "0:every benchmark ran",
      "1:at least one benchmark failed; the page shows the others",
      "2:invalid options",
      "3:the comparison itself failed"
    })
public final class Comparison implements Callable<Integer> {
  /**
   * Matches the first line of JMH's output about an exception or about a JVM that did not start.
   */
  private static final Pattern FAILURE = Pattern.compile("<failure>$|<forked VM failed");

  private static final int SHOWN = 12;

  private static final String PUBLISHED = "docs";

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "<directory>",
      defaultValue = PUBLISHED,
      description =
          "The directory for benchmarks.md. Results and charts go into its subdirectory benchmarks/"
              + " (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--label",
      paramLabel = "<name>",
      defaultValue = "",
      description = "The name of this run (default: jdk and its version, such as jdk17).")
  private String label;

  @Option(
      names = "--subject",
      paramLabel = "<class>",
      description = "Your own adapter, compared with the others. Repeatable.")
  private List<String> subjects;

  @Option(
      names = "--classpath",
      paramLabel = "<path>",
      defaultValue = "",
      description = "Jars and directories with your adapters, separated as for java -cp.")
  private String classpath;

  @Option(
      names = "--part",
      paramLabel = "<name>",
      description =
          "Runs only this part: bars, baselines, bodies, guarded, many, memory, operations, summary,"
              + " tails or, from JDK 21 on, virtual. Repeatable.")
  private List<String> selected;

  @Option(
      names = "--quick",
      description = "Runs every benchmark very briefly, as a check. The figures are useless.")
  private boolean quick;

  @Option(
      names = "--dry-run",
      description = "Prints the number of benchmarks and the expected time, and runs nothing.")
  private boolean dryRun;

  @Option(
      names = "--from",
      paramLabel = "<file>",
      split = ",",
      description = "Runs nothing, and writes the page from these results or from JMH's own JSON.")
  private List<Path> from;

  private Comparison(
      Path out, String label, List<String> subjects, String classpath, List<String> selected) {
    this.out = out;
    this.label = label;
    this.subjects = subjects;
    this.classpath = classpath;
    this.selected = selected;
    this.from = new ArrayList<>();
    this.spec = CommandSpec.create();
  }

  /**
   * Runs the comparison and exits.
   *
   * @param arguments the options; {@code --help} lists them
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(
        new Comparison(Path.of(PUBLISHED), "", new ArrayList<>(), "", new ArrayList<>()));
  }

  @Override
  public Integer call() throws IOException {
    if (!from.isEmpty()) {
      List<Run> runs = new ArrayList<>();
      for (Path file : from) {
        runs.add(read(file));
      }
      say("wrote %s", Page.write(out, runs));
      return 0;
    }
    List<Part> parts = parts();
    Duration expected = Duration.ZERO;
    for (Part part : parts) {
      expected = expected.plus(part.duration().multipliedBy(part.rounds()));
    }
    int benchmarks = parts.stream().mapToInt(Part::size).sum();
    say("%d benchmarks, about %s", benchmarks, readable(expected));
    if (dryRun) {
      return 0;
    }
    if (quick && out.equals(Path.of(PUBLISHED))) {
      throw wrong(
          "--quick: its figures are useless and would replace the published figures in docs;"
              + " choose another directory with --out",
          null);
    }
    return run(parts, expected);
  }

  private Run read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw wrong("--from: no such file: " + file.toAbsolutePath(), null);
    }
    try {
      return Run.read(file);
    } catch (IOException | IllegalArgumentException e) {
      throw wrong("--from: " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private List<Part> parts() {
    URL[] urls = urls();
    Set<String> summarizing = new HashSet<>();
    // This loader only checks the capabilities. The forks load the adapters themselves.
    ClassLoader loader = new URLClassLoader(urls, Comparison.class.getClassLoader());
    for (String subject : subjects) {
      if (canSummarize(subject, loader)) {
        summarizing.add(subject);
      }
    }
    Plan plan = new Plan(subjects, summarizing, quick);
    for (String name : selected) {
      if (!plan.names().contains(name)) {
        throw wrong("--part: unknown part " + name + "; the parts are " + plan.names(), null);
      }
    }
    return plan.parts().stream()
        .filter(part -> selected.isEmpty() || selected.contains(part.name()))
        .toList();
  }

  private boolean canSummarize(String subject, ClassLoader loader) {
    try {
      Adapter adapter = Adapters.load(subject, loader);
      return Adapters.capabilities(adapter).containsAll(SummaryBesideWriter.NEEDED);
    } catch (IllegalArgumentException e) {
      throw wrong("--subject: " + e.getMessage(), e);
    }
  }

  private URL[] urls() {
    try {
      return Adapters.locations(classpath);
    } catch (IllegalArgumentException e) {
      throw wrong("--classpath: " + e.getMessage(), e);
    }
  }

  private int run(List<Part> parts, Duration expected) throws IOException {
    if (!classpath.isEmpty()) {
      // JMH starts its forks with this class path. The user's classes come before the jar's.
      String own = System.getProperty("java.class.path");
      System.setProperty("java.class.path", classpath + File.pathSeparator + own);
    }
    String name = label.isEmpty() ? "jdk" + Runtime.version().feature() : label;
    Path file = Page.data(out, name);
    Files.createDirectories(file.resolveSibling(""));
    Map<String, String> facts =
        Facts.collect(
            List.of(
                file.resolveSibling("").toAbsolutePath().normalize(),
                out.resolve("benchmarks.md").toAbsolutePath().normalize()));
    facts.put(Run.LABEL, name);
    String tokens = String.format(Locale.ROOT, "%.3f", Body.Work.tokensPerMicro());
    facts.put("tokens per microsecond", tokens);
    if (quick) {
      facts.put("warning", "measured by --quick: the figures are useless");
    }

    Results results = new Results();
    int failed = 0;
    Duration done = Duration.ZERO;
    int rounds = parts.stream().mapToInt(Part::rounds).max().orElse(0);
    for (int round = 0; round < rounds; round++) {
      for (Part part : parts) {
        if (part.rounds() > round) {
          say(
              "round %d of %d: %s, %d benchmarks; about %s left",
              round + 1, rounds, part.name(), part.size(), readable(expected.minus(done)));
          Collection<RunResult> got = run(part, tokens);
          failed += part.size() - got.size();
          results.add(got);
          // Write after every part, so an interrupted run keeps its results.
          results.write(file, facts);
          done = done.plus(part.duration());
        }
      }
    }
    if (results.size() == 0) {
      say("no benchmark produced a result");
      return 1;
    }
    say("wrote %s", file);
    say("wrote %s", Page.write(out, Page.runs(out)));
    if (failed > 0) {
      say("%d benchmarks failed", failed);
    }
    return failed > 0 ? 1 : 0;
  }

  /** Runs one round of a part and reports failures. */
  private Collection<RunResult> run(Part part, String tokens) throws IOException {
    Path log = Files.createTempFile("jmh", ".log");
    Collection<RunResult> results = List.of();
    String failure = "";
    try {
      List<String> options = new ArrayList<>(part.options());
      options.add("-D" + Body.Work.TOKENS_PER_MICRO + "=" + tokens);
      results =
          new Runner(
                  part.jmh()
                      .jvmArgsAppend(options.toArray(String[]::new))
                      .shouldFailOnError(false)
                      .output(log.toString())
                      .build())
              .run();
    } catch (RunnerException e) {
      failure = String.valueOf(e.getMessage());
    }
    if (results.size() == part.size()) {
      Files.delete(log);
    } else {
      say(
          "%d of %d benchmarks failed%s%nJMH's output is in %s; the first failure:%n%s",
          part.size() - results.size(),
          part.size(),
          failure.isEmpty() ? "" : ": " + failure,
          log,
          firstFailure(log));
    }
    return results;
  }

  private static String firstFailure(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    int failure = 0;
    while (failure < lines.size() && !FAILURE.matcher(lines.get(failure)).find()) {
      failure++;
    }
    // Without a known failure line, show the last lines.
    int from = failure < lines.size() ? failure : Math.max(0, lines.size() - SHOWN);
    return lines.stream()
        .skip(from)
        .limit(SHOWN)
        .filter(line -> !line.isBlank())
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private ParameterException wrong(String message, @Nullable Exception e) {
    return new ParameterException(spec.commandLine(), message, e);
  }

  private void say(String format, Object... arguments) {
    PrintWriter console = spec.commandLine().getOut();
    console.printf(format + "%n", arguments);
    console.flush();
  }

  private static String readable(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    return seconds < 100 ? seconds + " s" : Math.round(seconds / 60.0) + " min";
  }
}

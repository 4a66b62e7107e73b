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

/** The command line of the whole comparison: runs it, keeps the results, writes the page. */
@Command(
    name = "comparison",
    description = "Times the reference implementation beside its peers, and writes a page of it.",
    mixinStandardHelpOptions = true,
    version = "tool-health-jmh 0.1.0-SNAPSHOT",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeOnExecutionException = 3,
    exitCodeList = {
      "0:everything was measured",
      "1:some benchmark failed; the page has the others",
      "2:bad usage",
      "3:the comparison itself failed"
    })
public final class Comparison implements Callable<Integer> {
  /** How JMH's account of an exception begins, and that of a JVM that did not come up. */
  private static final Pattern FAILURE = Pattern.compile("<failure>$|<forked VM failed");

  private static final int SHOWN = 12;

  private static final String PUBLISHED = "docs";

  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "<directory>",
      defaultValue = PUBLISHED,
      description =
          "Where benchmarks.md is, or will be; results and charts go into benchmarks/ there"
              + " (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--label",
      paramLabel = "<name>",
      defaultValue = "",
      description = "What to call this run (default: jdk and its number, such as jdk17).")
  private String label;

  @Option(
      names = "--subject",
      paramLabel = "<class>",
      description = "An adapter to be compared with the rest; may be given several times.")
  private List<String> subjects;

  @Option(
      names = "--classpath",
      paramLabel = "<path>",
      defaultValue = "",
      description = "Where to find it: jars and directories, separated as for java -cp.")
  private String classpath;

  @Option(
      names = "--part",
      paramLabel = "<name>",
      description =
          "Only this part; may be given several times. They are bars, baselines, bodies, guarded,"
              + " many, memory, operations, summary, tails and, from JDK 21 on, virtual.")
  private List<String> selected;

  @Option(
      names = "--quick",
      description = "Measures next to nothing, to see whether all works. The figures are useless.")
  private boolean quick;

  @Option(names = "--dry-run", description = "Says what would be run and for how long.")
  private boolean dryRun;

  @Option(
      names = "--from",
      paramLabel = "<file>",
      split = ",",
      description = "Runs nothing, and makes the page from these results, or JMH's own JSON.")
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
   * Runs the command line.
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
          "--quick: its figures are useless, and would replace those in docs: give --out", null);
    }
    return run(parts, expected);
  }

  private Run read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw wrong("--from: there is no file " + file.toAbsolutePath(), null);
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
    // Only to look at them here: the forks load them by themselves.
    ClassLoader loader = new URLClassLoader(urls, Comparison.class.getClassLoader());
    for (String subject : subjects) {
      if (canSummarize(subject, loader)) {
        summarizing.add(subject);
      }
    }
    Plan plan = new Plan(subjects, summarizing, quick);
    for (String name : selected) {
      if (!plan.names().contains(name)) {
        throw wrong("--part: no part is called " + name + ": they are " + plan.names(), null);
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
      // JMH starts its forks with this; what the user gave comes before what is in the archive.
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
          // At once: whoever has to stop keeps what there is.
          results.write(file, facts);
          done = done.plus(part.duration());
        }
      }
    }
    if (results.size() == 0) {
      say("nothing was measured");
      return 1;
    }
    say("wrote %s", file);
    say("wrote %s", Page.write(out, Page.runs(out)));
    if (failed > 0) {
      say("%d benchmarks failed", failed);
    }
    return failed > 0 ? 1 : 0;
  }

  /** Runs a part, and says what failed. */
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
          "%d of %d benchmarks failed%s%nJMH's account is in %s; the first failure:%n%s",
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
    // If JMH says nothing of the kind, its last words must do.
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

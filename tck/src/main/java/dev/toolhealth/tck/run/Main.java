package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.process.ProcessAdapter;
import dev.toolhealth.tck.process.ProcessFailure;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.spec.Rule;
import java.io.File;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line: certifies a subject and prints what came of each rule. */
@Command(
    name = "tool-health-tck",
    description = "Certifies an implementation of the tool-health rules.",
    mixinStandardHelpOptions = true,
    version = "tool-health-tck 0.1.0-SNAPSHOT",
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeOnExecutionException = 3,
    exitCodeList = {
      "0:every rule that applies is kept",
      "1:a rule is broken, or cannot be tested",
      "2:bad usage",
      "3:the kit itself failed, or the process of --process did"
    })
public final class Main implements Callable<Integer> {
  private static final String REFERENCE = "dev.toolhealth.tck.reference.ReferenceAdapter";

  @Spec private CommandSpec spec;

  @Option(
      names = "--subject",
      paramLabel = "<class>",
      defaultValue = REFERENCE,
      description = "The adapter's class (default: the bundled reference).")
  private String subject;

  @Option(
      names = "--classpath",
      paramLabel = "<path>",
      defaultValue = "",
      description = "Where to find that class: jars and directories, separated as for java -cp.")
  private String classpath;

  @Option(
      names = "--process",
      paramLabel = "<command>",
      defaultValue = "",
      description = "In place of a class: starts a process, and speaks to it (docs/protocol.md).")
  private String process;

  @Option(
      names = "--rule",
      paramLabel = "<id>",
      description = "Only this rule, such as BRK-3; may be given several times.")
  private List<String> rules;

  @Option(
      names = "--seed",
      paramLabel = "<number>",
      defaultValue = "" + Certification.DEFAULT_SEED,
      description = "Determines the random scripts (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--report",
      paramLabel = "<dir>",
      defaultValue = "",
      description = "Also writes a page and JUnit XML into this directory.")
  private String report;

  @Option(names = "--quiet", description = "Prints the verdict only.")
  private boolean quiet;

  @Mixin private WaitOptions waitOptions = new WaitOptions();

  @Option(names = "--list", description = "Lists the rules and their checks, and runs nothing.")
  private boolean list;

  private Main(
      String subject, String classpath, String process, List<String> rules, String report) {
    this.subject = subject;
    this.classpath = classpath;
    this.process = process;
    this.rules = rules;
    this.report = report;
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
    return new CommandLine(new Main(REFERENCE, "", "", new ArrayList<>(), ""));
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Set<Rule> selected = selectedRules();
    if (list) {
      list(out, selected);
      return 0;
    }
    return process.isEmpty() ? judge(subject, subject(), selected) : judgeProcess(selected);
  }

  private int judgeProcess(Set<Rule> selected) {
    try (ProcessAdapter adapter = process()) {
      return judge(process, adapter, selected);
    } catch (ProcessFailure e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(e.getMessage());
      err.flush();
      return 3;
    }
  }

  private int judge(String subject, Adapter adapter, Set<Rule> selected) {
    Certification certification = certification(adapter);
    Optional<ReportDirectory> directory =
        report.isEmpty() ? Optional.empty() : Optional.of(usable(() -> ReportDirectory.at(report)));
    PrintWriter out = quiet ? new PrintWriter(Writer.nullWriter()) : spec.commandLine().getOut();
    out.printf("subject %s%n", subject);
    out.flush();
    Screen screen =
        new Screen(
            out, spec.commandLine().getErr(), selected.size(), !quiet && Screen.isTerminal());
    Journal journal = new Journal(System::nanoTime, screen);
    List<RuleResult> results;
    try {
      results = certification.run(selected, journal);
    } finally {
      journal.close();
      screen.clear();
    }
    out.println();
    Table.print(out, results);
    Report report =
        new Report(
            subject,
            repetition(),
            certification.capabilities(),
            results,
            journal,
            new Report.Circumstances(spec.version()[0], java(), Instant.now()));
    directory.ifPresent(files -> files.write(report));
    spec.commandLine().getOut().println(report.verdict());
    spec.commandLine().getOut().flush();
    return report.conforms() ? 0 : 1;
  }

  private Repetition repetition() {
    List<String> options = new ArrayList<>();
    if (process.isEmpty()) {
      options.addAll(List.of("--subject", subject));
    } else {
      options.addAll(List.of("--process", process));
    }
    if (!classpath.isEmpty()) {
      options.addAll(List.of("--classpath", classpath));
    }
    for (String wait : WaitOptions.NAMES) {
      ParseResult given = spec.commandLine().getParseResult();
      if (given.hasMatchedOption(wait)) {
        options.addAll(List.of(wait, given.matchedOption(wait).originalStringValues().get(0)));
      }
    }
    return new Repetition(options, seed);
  }

  private static String java() {
    return "%s (%s)"
        .formatted(System.getProperty("java.version"), System.getProperty("java.vm.name"));
  }

  private Set<Rule> selectedRules() {
    if (rules.isEmpty()) {
      return EnumSet.allOf(Rule.class);
    }
    Set<Rule> selected = EnumSet.noneOf(Rule.class);
    for (String id : rules) {
      try {
        selected.add(Rule.of(id));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    return selected;
  }

  private Adapter subject() {
    return usable(
        // Not closed: the subject may load classes until the very end.
        () -> Adapters.load(subject, new SubjectLoader(urls())));
  }

  private ProcessAdapter process() {
    for (String option : List.of("--subject", "--classpath")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(), "--process stands in place of " + option + ": give one of them");
      }
    }
    return usable(() -> new ProcessAdapter(process));
  }

  private Certification certification(Adapter adapter) {
    return usable(() -> new Certification(adapter, seed, waitOptions.waits()));
  }

  /** Turns what is wrong with an argument into a message to whoever gave it. */
  private <T> T usable(Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private URL[] urls() {
    List<URL> urls = new ArrayList<>();
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      if (!entry.isEmpty()) {
        Path path = Path.of(entry);
        if (!Files.exists(path)) {
          throw new IllegalArgumentException("--classpath: there is no " + path.toAbsolutePath());
        }
        try {
          urls.add(path.toUri().toURL());
        } catch (MalformedURLException e) {
          throw new IllegalArgumentException("--classpath: cannot use " + entry, e);
        }
      }
    }
    return urls.toArray(URL[]::new);
  }

  private static void list(PrintWriter out, Set<Rule> selected) {
    for (Rule rule : selected) {
      out.printf("%-9s %s%n", rule, rule.sentence());
      for (RuleCheck check : RuleCheck.all()) {
        if (check.rule() == rule) {
          out.printf("%12s%s%n", "", check.title());
        }
      }
    }
    out.flush();
  }
}

package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.spec.Rule;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line, which certifies a subject and prints the outcome of each rule. */
@Command(
    name = "tool-health-tck",
    description = "Checks an implementation against the rules of tool-health (docs/spec.md).",
    mixinStandardHelpOptions = true,
    version = Main.VERSION,
    subcommands = Learn.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeOnExecutionException = 3,
    exitCodeList = {
      "0:the subject conforms: every rule that applies has passed",
      "1:the subject does not conform: a rule has failed or cannot be tested",
      "2:wrong options",
      "3:the kit failed, or the process started by --process failed"
    })
public final class Main implements Callable<Integer> {
  static final String VERSION = "tool-health-tck 0.1.0-SNAPSHOT";

  /** The time between two lines of progress in a log. */
  private static final long BEAT_MILLIS = 5_000;

  @Spec private CommandSpec spec;

  @Mixin private SubjectOptions subject = new SubjectOptions();

  @Option(
      names = "--rule",
      paramLabel = "<id>",
      description = "Checks only this rule, such as BRK-3. Repeat the option for more rules.")
  private List<String> rules;

  @Option(
      names = "--seed",
      paramLabel = "<number>",
      defaultValue = "" + Certification.DEFAULT_SEED,
      description = "The seed of the random scripts (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--report",
      paramLabel = "<dir>",
      defaultValue = "",
      description = "Also writes an HTML page and JUnit XML to this directory.")
  private String report;

  @Option(names = "--quiet", description = "Prints only the verdict.")
  private boolean quiet;

  @Mixin private WaitOptions waitOptions = new WaitOptions();

  @Option(names = "--list", description = "Lists the rules and their checks without running them.")
  private boolean list;

  private Main(List<String> rules, String report) {
    this.rules = rules;
    this.report = report;
    this.spec = CommandSpec.create();
  }

  /**
   * Runs the command line and exits.
   *
   * @param arguments the options; {@code --help} lists them
   */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /**
   * Creates the command line, for use within a program.
   *
   * @return the command line; {@link CommandLine#execute} returns the exit code
   */
  public static CommandLine commandLine() {
    return new CommandLine(new Main(new ArrayList<>(), ""))
        .setParameterExceptionHandler(Main::reportWrongOption);
  }

  /** Prints the error alone. The full help would push the message out of sight. */
  private static int reportWrongOption(ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(error.getMessage());
    UnmatchedArgumentException.printSuggestions(error, err);
    err.printf("Try '%s --help' for more information.%n", command.getCommandSpec().qualifiedName());
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Set<Rule> selected = selectedRules();
    if (list) {
      list(out, selected);
      return 0;
    }
    return subject.use((name, adapter) -> judge(name, adapter, selected));
  }

  private int judge(String name, Adapter adapter, Set<Rule> selected) {
    Certification certification =
        subject.usable(() -> new Certification(adapter, seed, waitOptions.waits()));
    Optional<ReportDirectory> directory =
        report.isEmpty()
            ? Optional.empty()
            : Optional.of(subject.usable(() -> ReportDirectory.at(report)));
    PrintWriter out = quiet ? new PrintWriter(Writer.nullWriter()) : spec.commandLine().getOut();
    out.printf("subject %s%n", name);
    out.flush();
    Screen screen = new Screen(out, spec.commandLine().getErr(), selected.size(), style());
    Journal journal = new Journal(System::nanoTime, screen);
    Timer timer = beating(screen);
    List<RuleResult> results;
    try {
      results = certification.run(selected, journal);
    } finally {
      timer.cancel();
      journal.close();
      screen.clear();
    }
    out.println();
    Report report =
        new Report(
            name,
            repetition(certification.capabilities().contains(Capability.MANUAL_CLOCK)),
            certification.capabilities(),
            results,
            journal,
            new Report.Circumstances(VERSION, java(), Instant.now()));
    Table.print(out, report);
    directory.ifPresent(files -> files.write(report));
    spec.commandLine().getOut().println(report.verdict());
    spec.commandLine().getOut().flush();
    return report.conforms() ? 0 : 1;
  }

  private Screen.Style style() {
    if (quiet) {
      return Screen.Style.NONE;
    }
    return Screen.isTerminal() ? Screen.Style.STATUS_LINE : Screen.Style.LINES;
  }

  private static Timer beating(Screen screen) {
    Timer timer = new Timer("progress", true);
    TimerTask beat =
        new TimerTask() {
          @Override
          public void run() {
            screen.beat();
          }
        };
    timer.schedule(beat, BEAT_MILLIS, BEAT_MILLIS);
    return timer;
  }

  private Repetition repetition(boolean atRandom) {
    List<String> command = Repetition.start(System.getProperty("java.class.path"));
    command.addAll(subject.given());
    for (String wait : WaitOptions.NAMES) {
      ParseResult given = spec.commandLine().getParseResult();
      if (given.hasMatchedOption(wait)) {
        command.addAll(List.of(wait, given.matchedOption(wait).originalStringValues().get(0)));
      }
    }
    return new Repetition(command, seed, atRandom);
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

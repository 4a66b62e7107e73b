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
import java.util.concurrent.Callable;
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
    version = Main.VERSION,
    subcommands = Learn.class,
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
  static final String VERSION = "tool-health-tck 0.1.0-SNAPSHOT";

  @Spec private CommandSpec spec;

  @Mixin private SubjectOptions subject = new SubjectOptions();

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

  private Main(List<String> rules, String report) {
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

  /**
   * Makes the command line, to be executed within a program.
   *
   * @return the command line; {@link CommandLine#execute} returns the exit code
   */
  public static CommandLine commandLine() {
    return new CommandLine(new Main(new ArrayList<>(), ""));
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

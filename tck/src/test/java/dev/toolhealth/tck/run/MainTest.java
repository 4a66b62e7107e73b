package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.locking.Fault;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.process.FakeChild;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;

  private int run(String... arguments) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  @Test
  void certifiesTheReferenceByDefault() {
    assertThat(run("--seed", "3")).isZero();
    assertThat(out.toString())
        .startsWith("subject dev.toolhealth.tck.reference.ReferenceAdapter")
        .contains("3000 random scripts, seed 3")
        .contains("41895 sequences: all short ones that can show something new")
        .contains("14742 scripts of the W-method, for implementations with up to 2 extra states")
        .contains("BRK-8     passed")
        .contains("60 rules, 60 passed")
        .contains("ReferenceAdapter conforms (claims: manual clock, oracle, ");
    assertThat(err.toString().lines()).allMatch(MainTest::isProgress);
  }

  /** Tells whether this is a line that a long run prints every few seconds. */
  private static boolean isProgress(String line) {
    return line.matches("rule [0-9]+ of [0-9]+: [A-Z]+-[0-9]+|playing [-a-zA-Z ]+");
  }

  @Test
  void certifiesAnotherSubjectAndOneRule() {
    assertThat(run("--subject", LockingAdapter.class.getName(), "--rule", "brk-8")).isZero();
    assertThat(out.toString())
        .contains("BRK-8     passed")
        .contains("1 rule, 1 passed")
        .endsWith("LockingAdapter conforms (checked only BRK-8)" + System.lineSeparator());
  }

  @Test
  void findsASubjectOnTheClassPathThatItIsGiven() throws URISyntaxException {
    Path classes =
        Path.of(MainTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assertThat(
            run(
                "--subject",
                LockingAdapter.class.getName(),
                "--classpath",
                classes.toString(),
                "--rule",
                "CONC-3"))
        .isZero();
    assertThat(out.toString())
        .contains("CONC-3    not applicable", "not applicable: needs lock free");
  }

  @Test
  void failsWithTheMinimalScript() {
    assertThat(run("--subject", Broken.class.getName(), "--rule", "STALE-1", "--rule", "STAT-1"))
        .isEqualTo(1);
    assertThat(out.toString())
        .contains(" random scripts, then stopped: 12 scripts had failed")
        .doesNotContain("sequences", "W-method")
        .contains("STAT-1    passed")
        .contains("STALE-1   FAILED")
        .containsSubsequence(
            "STALE-1 A success in OPEN is ignored",
            "with threshold 1, recovery 10 ns, probe timeout 10 ns",
            "1. recordFailure(\"a\", 1 ns)",
            "2. recordSuccess(\"a\", 1 ns)",
            "  then isToolAvailable(\"a\"): expected false, saw true")
        .contains("2 rules, 1 passed, 1 FAILED")
        .contains("The kit stopped after 12 failed scripts")
        .endsWith(
            "Broken does not conform (checked only STAT-1, STALE-1)" + System.lineSeparator());
  }

  /** An untestable claim keeps the subject from conforming. */
  @Test
  void whatCannotBeTestedDoesNotConform() {
    assertThat(run("--subject", Clockless.class.getName(), "--rule", "REG-6")).isEqualTo(1);
    assertThat(out.toString())
        .contains("REG-6     not testable")
        .contains("REG-6: cannot be checked without MANUAL_CLOCK")
        .contains("does not conform");
  }

  @Test
  void judgesOnTheRealClockWhatHasNoOther() {
    assertThat(
            run(
                "--subject",
                Clockless.class.getName(),
                "--rule",
                "BRK-6",
                "--patience",
                "1000",
                "--slack",
                "15",
                "--wait-multiplier",
                "1.5"))
        .isZero();
    assertThat(out.toString())
        .containsPattern("1 check on the real clock, in [0-9]+ rounds?, .+ of them void")
        .contains("BRK-6     passed");
  }

  /** A subject that fails a rule is still judged by the others. */
  @Test
  void judgesEachRuleByItself() {
    String subject = Miscounting.class.getName();
    assertThat(run("--subject", subject, "--rule", "LEASE-1")).isZero();
    assertThat(run("--subject", subject, "--rule", "LEASE-1", "--rule", "STAT-1")).isEqualTo(1);
    assertThat(out.toString()).contains("LEASE-1   passed").contains("STAT-1    FAILED");
  }

  /** Refusing a valid configuration fails the test, and the kit continues. */
  @Test
  void aRefusedConfigurationIsADeparture() {
    assertThat(run("--subject", Choosy.class.getName(), "--rule", "BAD-2")).isEqualTo(1);
    assertThat(out.toString())
        .contains("create threw java.lang.IllegalArgumentException: no cooldown, at ");
  }

  /** The kit then reports no rule as passed or failed, because it has no answers to judge. */
  @Test
  void aProcessThatFailsEndsTheRun() {
    String command = FakeChild.command(FakeChild.GREETING, FakeChild.DIE);
    assertThat(run("--process", command)).isEqualTo(3);
    assertThat(out.toString()).isEqualTo("subject " + command + System.lineSeparator());
    assertThat(err.toString().lines())
        .filteredOn(line -> !isProgress(line))
        .singleElement(STRING)
        .startsWith("process " + command + ": ended with exit code 7 before the answer to {");
  }

  @Test
  void writesReports() throws IOException {
    Path directory = temporary.resolve("not/there/yet");
    assertThat(
            run(
                "--subject",
                Broken.class.getName(),
                "--rule",
                "STALE-1",
                "--seed",
                "4",
                "--report",
                directory.toString()))
        .isEqualTo(1);
    assertThat(out.toString()).startsWith("subject ").contains("STALE-1   FAILED");
    assertThat(err.toString().lines()).allMatch(MainTest::isProgress);
    String command = "--subject '" + Broken.class.getName() + "' --rule STALE-1 --seed 4";
    assertThat(directory.resolve("index.html"))
        .content()
        .startsWith("<!DOCTYPE html>")
        .contains(" does not conform</span>", "tool-health-tck 0.1.0-SNAPSHOT")
        .contains(System.getProperty("java.version"));
    assertThat(directory.resolve("TEST-tool-health-tck.xml"))
        .content()
        .startsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
        .contains(command);
  }

  @Test
  void quietSaysTheVerdictOnly() {
    assertThat(run("--quiet", "--subject", Broken.class.getName(), "--rule", "STALE-1"))
        .isEqualTo(1);
    assertThat(out.toString())
        .isEqualTo(
            Broken.class.getName()
                + " does not conform (checked only STALE-1)"
                + System.lineSeparator());
    assertThat(err.toString()).isEmpty();
  }

  /** The kit checks this before the run, because a run takes long. */
  @Test
  void aReportThatCannotBeWrittenIsRefused() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    refused("--report: cannot create the directory " + file + ": ", "--report", file.toString());
    refused("--report: cannot create the directory ", "--report", file.resolve("below").toString());
    refused("--report: cannot create the directory ", "--report", "a\0b");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void learnsTheReferenceByDefault() {
    assertThat(run("learn")).isZero();
    assertThat(out.toString())
        .startsWith("# The machine of dev.toolhealth.tck.reference.ReferenceAdapter\n")
        .contains("With threshold 2, recovery 2 ticks, probe timeout 1 tick.")
        .contains("The subject's machine is the machine of the specification: 6 states.")
        .containsOnlyOnce("```mermaid");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void learnsAFaultAndDrawsItBesideTheSpecification(@TempDir Path directory) throws IOException {
    Path page = directory.resolve("page.md");
    String subject = Broken.class.getName();
    assertThat(run("learn", "--subject", subject, "--threshold", "1", "--output", page.toString()))
        .isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(page)
        .content()
        .containsSubsequence(
            "The subject's machine is not the machine of the specification.",
            "with threshold 1, recovery 2 ns, probe timeout 1 ns",
            "  1. recordFailure(\"a\", 1 ns)",
            "  2. recordSuccess(\"a\", 1 ns)",
            "then isToolAvailable(\"a\"): expected false, saw true",
            "## The subject's machine: 5 states",
            "```mermaid",
            "## The machine of the specification: 5 states",
            "```mermaid");
  }

  @Test
  void saysWhatCannotBeLearned() {
    assertThat(run("learn", "--subject", Choosy.class.getName(), "--recovery", "0")).isEqualTo(1);
    assertThat(out.toString())
        .contains("The subject refuses the configuration:")
        .contains("java.lang.IllegalArgumentException: no cooldown");
  }

  @Test
  void aProcessThatFailsIsNotLearned() {
    String command = FakeChild.command(FakeChild.GREETING, FakeChild.DIE);
    assertThat(run("learn", "--process", command)).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .startsWith("process " + command + ": ended with exit code 7 before the answer to {");
  }

  @Test
  void listsRulesAndChecks() {
    assertThat(run("--list", "--rule", "BRK-8")).isZero();
    assertThat(out.toString())
        .startsWith("BRK-8     " + Rule.BRK_8.sentence())
        .contains("one probe under contention (C02)")
        .doesNotContain("BRK-9");
  }

  @Test
  void saysPlainlyWhatIsWrongWithTheArguments() {
    refused("no class com.example.Missing on the class path", "--subject", "com.example.Missing");
    refused("java.lang.String is not an adapter", "--subject", "java.lang.String");
    refused("its constructor without parameters public", "--subject", Hidden.class.getName());
    refused("it needs a public constructor", "--subject", Demanding.class.getName());
    refused("its constructor threw", "--subject", Throwing.class.getName());
    refused("return Set.of() if there are none", "--subject", Undeclared.class.getName());
    refused("cannot start the process", "--process", "no/such/program");
    refused("a quote is not closed: a 'b", "--process", "a 'b");
    refused(
        "--process cannot be combined with --subject",
        "--process",
        "python3",
        "--subject",
        LockingAdapter.class.getName());
    refused("no rule BRK-99", "--rule", "BRK-99");
    refused("no such file or directory: ", "--classpath", "no/such/folder");
    refused("the wait multiplier is 0.0: it must be a number above 0", "--wait-multiplier", "0");
    refused("the patience is 0 ms: it must be above 0", "--patience", "0");
    refused("the slack is -1 ms: it must not be negative", "--slack=-1");
    refused("Invalid value for option '--seed'", "--seed", "many");
    refused("Unknown option: '--sbject'", "--sbject");
    refused("--recovery must be 0 to 20, but was 21", "learn", "--recovery", "21");
    refused("--threshold must be 0 to 20, but was -1", "learn", "--threshold", "-1");
    refused("does not claim MANUAL_CLOCK", "learn", "--subject", Clockless.class.getName());
    refused("no class com.example.Missing", "learn", "--subject", "com.example.Missing");
    refused("--output: cannot write ", "learn", "--output", "no/such/folder/page.md");
  }

  private void refused(String message, String... arguments) {
    err.getBuffer().setLength(0);
    assertThat(run(arguments)).isEqualTo(2);
    assertThat(err.toString())
        .contains(message)
        .containsPattern("\\RTry 'tool-health-tck( learn)? --help' for more information\\.\\R")
        .doesNotContain("\tat ", "Usage:");
  }

  /** An adapter for a faulty implementation. */
  public static final class Broken implements Adapter {
    private final Adapter faulty =
        Faults.all().stream()
            .filter(fault -> fault.rule() == Rule.STALE_1)
            .map(Fault::adapter)
            .findFirst()
            .orElseThrow();

    @Override
    public Set<Capability> capabilities() {
      return faulty.capabilities();
    }

    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      return faulty.create(config, nanoClock);
    }
  }

  /** An adapter for subjects with a wrong total. */
  public static final class Miscounting extends LockingAdapter {
    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      Subject sane = super.create(config, nanoClock);
      InvocationHandler miscount =
          (proxy, method, arguments) -> {
            Object answer = method.invoke(sane, arguments);
            return answer instanceof Statistics s
                ? new Statistics(s.successes(), s.failures(), 99, 1, s.durationSumNanos(), 0, 0)
                : answer;
          };
      return (Subject)
          Proxy.newProxyInstance(
              Subject.class.getClassLoader(), new Class<?>[] {Subject.class}, miscount);
    }
  }

  /** An adapter that refuses a cooldown of 0. */
  public static final class Choosy extends LockingAdapter {
    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      if (config.recoveryNanos() == 0) {
        throw new IllegalArgumentException("no cooldown");
      }
      return super.create(config, nanoClock);
    }
  }

  /** An adapter without a clock for the kit to set. */
  public static final class Clockless extends LockingAdapter {
    @Override
    public Set<Capability> capabilities() {
      Set<Capability> capabilities = super.capabilities();
      capabilities.remove(Capability.MANUAL_CLOCK);
      capabilities.add(Capability.LOCK_FREE);
      return capabilities;
    }
  }

  /** An adapter without a public constructor. */
  public static final class Hidden extends LockingAdapter {
    Hidden() {}
  }

  /** An adapter with a constructor parameter. */
  public static final class Demanding extends LockingAdapter {
    public Demanding(String argument) {
      assertThat(argument).isNotNull();
    }
  }

  /** An adapter with null as its capabilities. */
  public static final class Undeclared extends LockingAdapter {
    @Override
    @SuppressWarnings("NullAway") // the fault
    public Set<Capability> capabilities() {
      return null;
    }
  }

  /** An adapter with a constructor that throws. */
  public static final class Throwing extends LockingAdapter {
    public Throwing() {
      throw new IllegalStateException("no database");
    }
  }
}

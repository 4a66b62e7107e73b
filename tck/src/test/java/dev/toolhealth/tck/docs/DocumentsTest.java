package dev.toolhealth.tck.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.toolhealth.ToolHealth;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.run.Certification;
import dev.toolhealth.tck.run.Main;
import dev.toolhealth.tck.run.Outcome;
import dev.toolhealth.tck.run.RuleResult;
import dev.toolhealth.tck.spec.Rule;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jshell.JShell;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class DocumentsTest {
  static List<Document> documents() {
    return Document.all();
  }

  static List<Snippet> snippets() {
    return Snippet.all();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linksLeadSomewhere(Document document) {
    assertThat(document.links()).allSatisfy(target -> assertThat(target).exists());
  }

  @ParameterizedTest
  @MethodSource("snippets")
  void javaCompiles(Snippet snippet, @TempDir Path directory) throws Exception {
    assertThat(snippet.load(directory)).isNotNull();
  }

  /** The README's first example prints what the README says. */
  @Test
  void theFirstExamplePrintsWhatTheReadmeSays(@TempDir Path directory) throws Exception {
    Method main =
        Snippet.of("README.md", "Script").load(directory).getMethod("main", String[].class);
    main.setAccessible(true);
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(out);
    }
    assertThat(Document.of("README.md").outputs())
        .singleElement(STRING)
        .isEqualToNormalizingNewlines(printed.toString(UTF_8));
  }

  /** The same example can be pasted into jshell. */
  @Test
  void theFirstExampleRunsInJshell() {
    String code = Document.of("README.md").snippets().get(0);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (JShell shell = JShell.builder().out(new PrintStream(printed, true, UTF_8)).build()) {
      shell.addToClasspath(System.getProperty("java.class.path"));
      for (String rest = code; !rest.isBlank(); ) {
        CompletionInfo statement = shell.sourceCodeAnalysis().analyzeCompletion(rest);
        assertThat(statement.completeness().isComplete()).as(rest).isTrue();
        assertThat(shell.eval(statement.source()))
            .allSatisfy(
                event -> assertThat(event.status()).isEqualTo(jdk.jshell.Snippet.Status.VALID))
            .allSatisfy(event -> assertThat(event.exception()).isNull());
        rest = statement.remaining();
      }
    }
    assertThat(Document.of("README.md").outputs())
        .singleElement(STRING)
        .isEqualToNormalizingNewlines(printed.toString(UTF_8));
  }

  /** The guide's table is the one that the guide's code returns. */
  @Test
  void theGuidesReportIsWhatTheGuideShows(@TempDir Path directory) throws Exception {
    Method report =
        Snippet.of("docs/guide.md", "Report")
            .load(directory)
            .getDeclaredMethod("of", ToolHealthRegistry.class);
    report.setAccessible(true);
    ToolHealthRegistry registry = ToolHealthRegistry.builder().nanoClock(() -> 0).build();
    assertThat(Document.of("docs/guide.md").outputs())
        .singleElement(STRING)
        .isEqualToNormalizingNewlines((String) report.invoke(null, registry));
  }

  /** The figures in the README are those of the benchmark page. */
  @Test
  void theReadmesFiguresAreThoseOfTheBenchmarkPage() {
    Pattern row =
        Pattern.compile("(?m)^\\| ([a-zA-Z ]+) \\| ([12]) \\|((?: \\**[0-9.]+\\** \\|){4})$");
    String[] byThreads =
        Document.of("docs/benchmarks.md").text().split("(?m)^## (One thread|Two threads)\\b", -1);
    Matcher figures = row.matcher(Document.of("README.md").text());
    int rows = 0;
    for (; figures.find(); rows++) {
      String section = byThreads[Integer.parseInt(figures.group(2))];
      String measured =
          section
              .lines()
              .filter(line -> line.startsWith("| " + figures.group(1) + " | jdk17 |"))
              .findFirst()
              .orElseThrow();
      String[] cells = measured.split(" *\\| *", -1);
      // The columns: name, run, reference, locking, and then the peers.
      List<String> expected =
          Stream.of(cells[3], cells[5], cells[6], cells[7])
              .map(cell -> cell.replaceAll(" \\(.*", ""))
              .toList();
      assertThat(figures.group(3).replace("*", "").trim().split(" *\\| *"))
          .as(measured)
          .containsExactlyElementsOf(expected);
    }
    assertThat(rows).isEqualTo(3);
  }

  /** The README's loop with permits. */
  @Test
  void theLoopWithPermitsRefusesSoftly(@TempDir Path directory) throws Exception {
    Class<?> loop = Snippet.of("README.md", "Loop").load(directory);
    Method call = loop.getDeclaredMethod("call", ToolHealth.class, Supplier.class);
    call.setAccessible(true);
    AtomicLong clock = new AtomicLong();
    ToolHealth tool = ToolHealthRegistry.builder().nanoClock(clock::get).build().tool("search");
    Supplier<String> broken =
        () -> {
          throw new IllegalStateException("index is gone");
        };
    for (int i = 0; i < 2; i++) {
      assertThat(call.invoke(null, tool, broken)).isEqualTo("search failed: index is gone");
    }
    StackOverflowError overflow = new StackOverflowError();
    Supplier<String> worse =
        () -> {
          throw overflow;
        };
    assertThatThrownBy(() -> call.invoke(null, tool, worse)).hasCause(overflow); // third failure
    clock.set(1);
    Supplier<String> mended = () -> "answer";
    assertThat(call.invoke(null, tool, mended)).isEqualTo("unavailable, try again in 30 s");
    assertThat(call.invoke(null, ToolHealthRegistry.ofDefaults().tool("search"), mended))
        .isEqualTo("answer");
  }

  /** The adapter for users to copy keeps all rules of its capabilities. */
  @Test
  void theExampleOfAnAdapterIsCertified(@TempDir Path directory) throws Exception {
    Class<?> type = Snippet.of("docs/kit.md", "MyAdapter").load(directory);
    Adapter adapter = (Adapter) type.getConstructor().newInstance();
    List<RuleResult> results = new Certification(adapter, Certification.DEFAULT_SEED).run();
    assertThat(results)
        .filteredOn(result -> result.outcome() == Outcome.PASSED)
        .extracting(result -> result.rule().chapter())
        .contains(Rule.Chapter.BRK, Rule.Chapter.LEASE, Rule.Chapter.STALE, Rule.Chapter.ORACLE);
    assertThat(results).filteredOn(result -> result.outcome() == Outcome.FAILED).isEmpty();
  }

  /** The document's diagram of the reference is the current output of {@code learn}. */
  @Test
  void thePictureOfTheReferenceIsWhatIsLearned() {
    StringWriter printed = new StringWriter();
    CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(printed));
    assertThat(commandLine.execute("learn")).isZero();
    assertThat(Document.of("docs/conformance.md").pictures())
        .singleElement(STRING)
        .isEqualTo(printed.toString().substring(printed.toString().indexOf("```mermaid")));
  }

  /** The kit's guide lists the rules that need a capability. */
  @ParameterizedTest
  @EnumSource
  void theTableSaysWhichRulesACapabilityBrings(Capability capability) {
    Matcher row =
        Pattern.compile("(?m)^\\| `" + capability + "` \\|.*\\|(.*)\\|$")
            .matcher(Document.of("docs/kit.md").text());
    assertThat(row.find()).isTrue();
    assertThat(rulesIn(row.group(1)))
        .containsExactlyInAnyOrder(
            Arrays.stream(Rule.values())
                .filter(rule -> brings(capability, rule))
                .toArray(Rule[]::new));
  }

  private static Set<Rule> rulesIn(String words) {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    Matcher range = Pattern.compile("([A-Z]+-[0-9]+)(?: to ([A-Z]+-[0-9]+))?").matcher(words);
    while (range.find()) {
      Rule first = Rule.of(range.group(1));
      rules.addAll(EnumSet.range(first, range.group(2) == null ? first : Rule.of(range.group(2))));
    }
    return rules;
  }

  /** Returns whether the capability is in one of the smallest sets that make a rule apply. */
  private static boolean brings(Capability capability, Rule rule) {
    List<Set<Capability>> needs =
        RuleCheck.all().stream()
            .filter(check -> check.rule() == rule && !check.onTheWallClock())
            .map(DocumentsTest::needsBesideTheClock)
            .toList();
    int fewest = needs.stream().mapToInt(Set::size).min().orElseThrow();
    return needs.stream().anyMatch(set -> set.size() == fewest && set.contains(capability));
  }

  /** Leaves out the clock, without which a rule still applies: on the real clock, or untestable. */
  private static Set<Capability> needsBesideTheClock(RuleCheck check) {
    Set<Capability> needs = EnumSet.noneOf(Capability.class);
    needs.addAll(check.needs());
    needs.remove(Capability.MANUAL_CLOCK);
    return needs;
  }

  /** The protocol has every operation of the kit's interface. */
  @Test
  void theProtocolHasEveryOperation() {
    String protocol = Document.of("docs/protocol.md").text();
    assertThat(Subject.class.getMethods())
        .extracting(Method::getName)
        .allSatisfy(op -> assertThat(protocol).contains("| `" + op + "` |"));
  }

  /** The README's test command is also the command of the project's own build. */
  @Test
  void theReadmesTestCommandIsTheOneThatIsRun() {
    assertThat(Document.of("README.md").text()).containsPattern("(?m)^mvn verify$");
    assertThat(Document.of(".ci/run").text()).containsPattern("(?m)^  mvn verify$");
  }
}

package dev.toolhealth.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.toolhealth.CircuitBreakerConfig;
import dev.toolhealth.ToolCall;
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
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class DocumentsTest {
  private static final String REFUSAL = "tool temporarily unavailable: circuit breaker open";

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

  /** Runs the README's first example: after three failures the fourth call is refused. */
  @Test
  void theFirstExampleRefusesSoftly(@TempDir Path directory) throws Exception {
    Class<?> agent = Snippet.of("README.md", "Agent").load(directory);
    Constructor<?> constructor = agent.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object example = constructor.newInstance();
    Method call = agent.getDeclaredMethod("call", String.class, ToolCall.class);
    call.setAccessible(true);
    ToolCall<String> broken =
        name -> {
          throw new IOException("index is gone");
        };
    for (int i = 0; i < 3; i++) {
      assertThat(call.invoke(example, "search", broken)).isEqualTo("index is gone");
    }
    ToolCall<String> mended = name -> "answer";
    assertThat(call.invoke(example, "search", mended)).isEqualTo(REFUSAL);
    assertThat(call.invoke(example, "another", mended)).isEqualTo("answer");
  }

  /** Runs the README's second example, which uses permits. */
  @Test
  void theSecondExampleRefusesSoftly(@TempDir Path directory) throws Exception {
    Class<?> loop = Snippet.of("README.md", "Loop").load(directory);
    Method call = loop.getDeclaredMethod("call", ToolHealth.class, Supplier.class);
    call.setAccessible(true);
    AtomicLong clock = new AtomicLong();
    ToolHealth tool =
        new ToolHealthRegistry(CircuitBreakerConfig.defaults(), clock::get).tool("search");
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
    assertThat(call.invoke(null, new ToolHealthRegistry().tool("search"), mended))
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

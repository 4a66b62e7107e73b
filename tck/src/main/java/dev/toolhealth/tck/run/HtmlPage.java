package dev.toolhealth.tck.run;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Finding;
import dev.toolhealth.tck.script.Story;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A report as one self-contained HTML page. The template {@code page.html} and the styles in {@code
 * page.css} define its look; this class computes the values for the template.
 */
final class HtmlPage {
  private static final Template TEMPLATE =
      Mustache.compiler()
          .emptyStringIsFalse(true)
          .withFormatter(value -> Printable.text(value.toString()))
          .compile(resource("page.html"));

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);

  /** The maximum length for showing two answers side by side. */
  private static final int LONG = 60;

  private final Report report;

  /** Maps each failed rule to the rule with the drawn script. */
  private final Map<Rule, Rule> shownBy;

  private HtmlPage(Report report) {
    this.report = report;
    this.shownBy = shownBy(report.failed());
  }

  static void write(Report report, Writer out) {
    TEMPLATE.execute(new HtmlPage(report).page(), out);
  }

  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the kit is incomplete: it has no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The template refers to the components of these records by name.

  private record Page(
      String css,
      String subject,
      boolean conforms,
      String verdict,
      String lead,
      List<Link> failed,
      boolean several,
      List<Count> counts,
      List<Fact> facts,
      boolean atRandom,
      List<Fact> played,
      List<String> command,
      boolean departs,
      List<Broken> broken,
      List<ChapterOfRules> chapters) {}

  private record Count(String style, String sign, long number, String words) {}

  private record Fact(String name, String value) {}

  /** A failed rule and the anchor of the script that breaks it. */
  private record Link(String id, String script) {}

  private record ChapterOfRules(String id, String title, boolean applies, List<Judged> rules) {}

  private record Judged(
      String id,
      String sentence,
      String style,
      String sign,
      String outcome,
      @Nullable String script,
      String remark,
      String cases,
      String time) {}

  private record Broken(
      String id,
      String sentence,
      @Nullable Timeline timeline,
      @Nullable Text told,
      @Nullable Comparison comparison,
      @Nullable String found,
      @Nullable String cause,
      @Nullable Same same,
      List<String> command) {}

  /** The rules whose scripts are not drawn, because they resemble another script. */
  private record Same(List<Retold> rules) {}

  private record Retold(String id, String sentence, Text told) {}

  private record Text(List<String> lines) {}

  private record Comparison(
      String step,
      String asked,
      @Nullable String expected,
      @Nullable String seen,
      boolean isLong) {}

  private record Timeline(
      String setting, boolean drawn, boolean explained, List<Fact> tools, List<Row> rows) {}

  private record Row(
      String numbers,
      String time,
      boolean moved,
      List<String> parts,
      boolean isClock,
      String answer,
      @Nullable String expected,
      List<Lane> lanes) {}

  private record Lane(String style, List<String> state, boolean changed, String detail) {}

  private Page page() {
    Set<Capability> missing = EnumSet.allOf(Capability.class);
    missing.removeAll(report.capabilities());
    List<Link> failed = report.failed().stream().map(result -> link(result.rule())).toList();
    List<Broken> broken = broken();
    return new Page(
        resource("page.css"),
        report.subject(),
        report.conforms(),
        report.conforms() ? "conforms" : "does not conform",
        lead(),
        failed,
        failed.size() > 1,
        counts(),
        facts(missing),
        report.repetition().atRandom(),
        report.journal().accounts().stream()
            .map(account -> new Fact(account.words(), words(account.time())))
            .toList(),
        report
            .repetition()
            .words(
                report.isWhole()
                    ? List.of()
                    : report.results().stream().map(RuleResult::rule).toList()),
        !broken.isEmpty(),
        broken,
        chapters());
  }

  private List<Fact> facts(Set<Capability> missing) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Claims", Adapters.words(report.capabilities())));
    facts.add(new Fact("Does not claim", missing.isEmpty() ? "\u2013" : Adapters.words(missing)));
    if (report.repetition().atRandom()) {
      facts.add(new Fact("Seed", "" + report.repetition().seed()));
    }
    facts.add(new Fact("Kit", report.circumstances().kit()));
    facts.add(new Fact("Java", report.circumstances().java()));
    facts.add(new Fact("Date", DATE.format(report.circumstances().date())));
    facts.add(new Fact("Time taken", words(report.journal().total())));
    return facts;
  }

  /** Returns the text after the list of failed rules. */
  private String lead() {
    String which = report.isWhole() ? "Every rule" : "Every selected rule";
    if (report.conforms()) {
      return which + " that applies has passed.";
    }
    List<String> sentences = new ArrayList<>();
    long unseen = report.count(Outcome.NOT_TESTABLE);
    if (unseen > 0) {
      sentences.add(
          "%s could not be tested: see the list of rules for the reasons."
              .formatted(rules(unseen)));
    }
    sentences.add(report.provisional());
    return String.join(" ", sentences).trim();
  }

  private static String rules(long count) {
    return count == 1 ? "1 rule" : count + " rules";
  }

  private List<Count> counts() {
    return Arrays.stream(Outcome.values())
        .filter(outcome -> report.count(outcome) > 0)
        .map(o -> new Count(style(o), sign(o), report.count(o), words(o)))
        .toList();
  }

  private List<ChapterOfRules> chapters() {
    return Arrays.stream(Rule.Chapter.values())
        .map(this::chapter)
        .filter(chapter -> !chapter.rules().isEmpty())
        .toList();
  }

  private ChapterOfRules chapter(Rule.Chapter chapter) {
    List<RuleResult> results =
        report.results().stream().filter(result -> result.rule().chapter() == chapter).toList();
    return new ChapterOfRules(
        chapter.name(),
        chapter.title(),
        results.stream().anyMatch(result -> result.outcome() != Outcome.NOT_APPLICABLE),
        results.stream().map(this::judged).toList());
  }

  private Judged judged(RuleResult result) {
    Outcome outcome = result.outcome();
    boolean checked = outcome == Outcome.PASSED || outcome == Outcome.FAILED;
    return new Judged(
        result.rule().id(),
        result.rule().sentence(),
        style(outcome),
        sign(outcome),
        words(outcome),
        outcome == Outcome.FAILED ? link(result.rule()).script() : null,
        result.remark(),
        checked ? grouped(result.cases()) : "",
        checked ? words(report.journal().time(result.rule())) : "");
  }

  /**
   * Maps each failed rule to the rule whose script is drawn. A script is not drawn again if it
   * equals an earlier script or shows a consequence of the same fault.
   */
  private static Map<Rule, Rule> shownBy(List<RuleResult> failed) {
    Map<Rule, Rule> shownBy = new LinkedHashMap<>();
    Map<List<String>, Rule> scripts = new HashMap<>();
    for (RuleResult result : failed) {
      List<String> script = result.first().story().lines();
      // The most telling departures come first, so a cause precedes its consequences.
      Rule cause = result.first().cause();
      Rule shown = cause == null ? scripts.get(script) : shownBy.get(cause);
      shownBy.put(result.rule(), shown == null ? result.rule() : shown);
      if (shown == null) {
        scripts.put(script, result.rule());
      }
    }
    return shownBy;
  }

  private Link link(Rule rule) {
    return new Link(rule.id(), shownBy.getOrDefault(rule, rule).id() + "-script");
  }

  private List<Broken> broken() {
    List<Broken> broken = new ArrayList<>();
    boolean explained = false;
    for (RuleResult result : report.failed()) {
      if (shownBy.get(result.rule()) == result.rule()) {
        Broken next = broken(result, !explained);
        explained |= next.timeline() != null && next.timeline().drawn();
        broken.add(next);
      }
    }
    return broken;
  }

  private Broken broken(RuleResult result, boolean explained) {
    Departure departure = result.first();
    Story story = departure.story();
    Rule cause = departure.cause();
    Finding finding = departure.finding();
    boolean compares = finding.expected() != null;
    return new Broken(
        result.rule().id(),
        result.rule().sentence(),
        story instanceof Story.Played played ? timeline(played, finding, explained) : null,
        story instanceof Story.Played ? null : new Text(story.lines()),
        compares ? comparison(story, finding) : null,
        compares ? null : finding.asked(),
        cause == null ? null : cause.id(),
        same(result),
        report.repetition().words(List.of(result.rule())));
  }

  private static Comparison comparison(Story story, Finding finding) {
    int step = story.stepOf(finding);
    return new Comparison(
        step > 0 ? "Step " + step : story instanceof Story.Told ? "Compared" : "Then",
        step == 0 ? finding.asked() : "",
        finding.expected(),
        finding.seen(),
        isLong(finding));
  }

  private static boolean isLong(Finding finding) {
    return String.valueOf(finding.seen()).length() > LONG;
  }

  /** Returns the other rules that share the script drawn for this rule. */
  private @Nullable Same same(RuleResult result) {
    List<Retold> rules = new ArrayList<>();
    for (RuleResult other : report.failed()) {
      if (other.rule() != result.rule() && shownBy.get(other.rule()) == result.rule()) {
        Departure departure = other.first();
        List<String> lines = new ArrayList<>(departure.story().lines());
        lines.add(departure.story().ending(departure.finding()));
        rules.add(new Retold(other.rule().id(), other.rule().sentence(), new Text(lines)));
      }
    }
    return rules.isEmpty() ? null : new Same(rules);
  }

  private static Timeline timeline(Story.Played played, Finding finding, boolean explained) {
    List<Row> rows = new ArrayList<>();
    List<Story.Breaker> before = played.start();
    String time = "0 ns";
    rows.add(new Row("", time, true, List.of(), false, "", null, lanes(before, List.of())));
    List<Story.Event> events = played.events();
    int wrong = played.stepOf(finding);
    for (int i = 0; i < events.size(); i++) {
      int first = i;
      while (i + 1 < events.size()
          && i + 2 != wrong
          && looksAlike(events.get(i), events.get(i + 1))
          && states(before).equals(states(events.get(i + 1).breakers()))) {
        i++;
      }
      Story.Event event = events.get(i);
      rows.add(
          new Row(
              (first == i ? "" + (i + 1) : (first + 1) + "\u2013" + (i + 1)) + ".",
              unbroken(event.time()),
              !event.time().equals(time),
              event.isClock() ? List.of(unbroken(event.what())) : parts(event.what()),
              event.isClock(),
              event.answer(),
              i + 1 == wrong ? expected(finding) : null,
              lanes(event.breakers(), before)));
      before = event.breakers();
      time = event.time();
    }
    if (finding.expected() != null && wrong == 0) {
      rows.add(
          new Row(
              "then",
              unbroken(time),
              false,
              parts(finding.asked()),
              false,
              isLong(finding) ? "" : String.valueOf(finding.seen()),
              expected(finding),
              lanes(before, before)));
    }
    return new Timeline(
        played.setting(), rows.size() > 1, explained, tools(played.start(), finding), rows);
  }

  /** Returns the tools by name, or one without a name if only one tool takes part. */
  private static List<Fact> tools(List<Story.Breaker> breakers, Finding finding) {
    List<String> names = breakers.stream().map(Story.Breaker::tool).toList();
    boolean another =
        finding.asked().contains("(\"") && names.stream().noneMatch(finding.asked()::contains);
    return names.size() == 1 && !another
        ? List.of(new Fact("", ""))
        : names.stream().map(name -> new Fact(name, "")).toList();
  }

  private static String expected(Finding finding) {
    return isLong(finding) ? "not the expected answer" : "expected " + finding.expected();
  }

  /** Splits a call where a line may break: after the name of the method. */
  private static List<String> parts(String what) {
    return List.of(what.split("(?<=\\()", -1));
  }

  /** Allows a line break before the sign of a time, but not before its unit. */
  private static String unbroken(String time) {
    return time.replace("- ", "\u2212 ").replaceAll("(?<=[0-9+\u2212]) ", "\u00a0");
  }

  /** Returns whether one line can show both events, which differ at most in a count. */
  private static boolean looksAlike(Story.Event a, Story.Event b) {
    return a.what().equals(b.what())
        && a.answer().equals(b.answer())
        && a.time().equals(b.time())
        && states(a.breakers()).equals(states(b.breakers()));
  }

  private static List<CircuitState> states(List<Story.Breaker> breakers) {
    return breakers.stream().map(Story.Breaker::state).toList();
  }

  private static List<Lane> lanes(List<Story.Breaker> breakers, List<Story.Breaker> before) {
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < breakers.size(); i++) {
      Story.Breaker breaker = breakers.get(i);
      lanes.add(
          new Lane(
              style(breaker.state()),
              List.of(breaker.state().name().split("(?<=_)", -1)),
              before.isEmpty() || before.get(i).state() != breaker.state(),
              before.isEmpty() || !before.get(i).equals(breaker)
                  ? unbroken(breaker.detail())
                  : ""));
    }
    return lanes;
  }

  private static String style(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String sign(Outcome outcome) {
    return switch (outcome) {
      case PASSED -> "\u2713";
      case FAILED -> "\u2717";
      case NOT_APPLICABLE -> "\u2013";
      case NOT_TESTABLE -> "?";
    };
  }

  private static String words(Outcome outcome) {
    return outcome.toString().toLowerCase(Locale.ROOT);
  }

  private static String words(Duration time) {
    long millis = time.toMillis();
    return millis < 1
        ? "< 1 ms"
        : millis < 1_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  /** Formats a number in groups of three digits, separated by thin non-breaking spaces. */
  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
  }
}

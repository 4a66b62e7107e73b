package dev.toolhealth.tck.run;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
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
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A report as one page that needs nothing else. What it looks like is in {@code page.html} and
 * {@code page.css}; here is what these speak of.
 */
final class HtmlPage {
  private static final Template TEMPLATE =
      Mustache.compiler()
          .emptyStringIsFalse(true)
          .withFormatter(value -> Printable.text(value.toString()))
          .compile(resource("page.html"));

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);

  /** Answers longer than this do not fit beside each other. */
  private static final int LONG = 60;

  private final Report report;

  private HtmlPage(Report report) {
    this.report = report;
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

  // The names of these records' components are those in the template.

  private record Page(
      String css,
      String subject,
      boolean conforms,
      String verdict,
      String lead,
      List<Count> counts,
      List<Fact> facts,
      List<Fact> played,
      List<String> command,
      boolean departs,
      List<Broken> broken,
      List<ChapterOfRules> chapters) {}

  private record Count(String style, String sign, long number, String words) {}

  private record Fact(String name, String value) {}

  private record ChapterOfRules(String id, String title, List<Judged> rules) {}

  private record Judged(
      String id,
      String sentence,
      String style,
      String sign,
      String outcome,
      boolean failed,
      String remark,
      String cases,
      String time) {}

  private record Broken(
      String id,
      String sentence,
      @Nullable Timeline timeline,
      @Nullable String told,
      @Nullable Finding comparison,
      boolean isLong,
      @Nullable String found,
      @Nullable String cause,
      String others,
      List<String> command) {}

  private record Timeline(String setting, boolean drawn, List<Fact> tools, List<Row> rows) {}

  private record Row(
      String numbers,
      String time,
      boolean moved,
      List<String> parts,
      boolean isClock,
      String answer,
      List<Lane> lanes) {}

  private record Lane(String style, String state, boolean changed, String detail) {}

  private Page page() {
    Set<Capability> missing = EnumSet.allOf(Capability.class);
    missing.removeAll(report.capabilities());
    List<Broken> broken = broken();
    return new Page(
        resource("page.css"),
        report.subject(),
        report.conforms(),
        report.conforms() ? "conforms" : "does not conform",
        lead(),
        counts(),
        List.of(
            new Fact("Claims", words(report.capabilities())),
            new Fact("Does not claim", words(missing)),
            new Fact("Seed", "" + report.repetition().seed()),
            new Fact("Kit", report.circumstances().kit()),
            new Fact("Java", report.circumstances().java()),
            new Fact("Date", DATE.format(report.circumstances().date())),
            new Fact("Time taken", words(report.journal().total()))),
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

  private String lead() {
    String asked = report.isWhole() ? "" : " that was asked for";
    if (report.conforms()) {
      return "It keeps every rule" + asked + " that applies to it.";
    }
    List<String> sentences = new ArrayList<>();
    long failed = report.count(Outcome.FAILED);
    if (failed > 0) {
      sentences.add("It departs from %s.".formatted(rules(failed)));
    }
    long unseen = report.count(Outcome.NOT_TESTABLE);
    if (unseen > 0) {
      sentences.add("%s could not be tested: the list of rules says why.".formatted(rules(unseen)));
    }
    return String.join(" ", sentences);
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
        .map(
            chapter ->
                new ChapterOfRules(
                    chapter.name(),
                    chapter.title(),
                    report.results().stream()
                        .filter(result -> result.rule().chapter() == chapter)
                        .map(this::judged)
                        .toList()))
        .filter(chapter -> !chapter.rules().isEmpty())
        .toList();
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
        outcome == Outcome.FAILED,
        result.remark(),
        checked ? grouped(result.cases()) : "",
        checked ? words(report.journal().time(result.rule())) : "");
  }

  private List<Broken> broken() {
    return report.results().stream()
        .filter(result -> !result.departures().isEmpty())
        .sorted(Comparator.comparing(HtmlPage::first, Departure.MOST_TELLING_FIRST))
        .map(this::broken)
        .toList();
  }

  private static Departure first(RuleResult result) {
    return result.departures().get(0);
  }

  private Broken broken(RuleResult result) {
    Departure departure = first(result);
    Rule cause = departure.cause();
    int others = result.departures().size() - 1;
    Finding finding = departure.finding();
    boolean compares = finding.expected() != null;
    return new Broken(
        result.rule().id(),
        result.rule().sentence(),
        departure.story() instanceof Story.Played played ? timeline(played) : null,
        departure.story() instanceof Story.Played
            ? null
            : String.join("\n", departure.story().lines()),
        compares ? finding : null,
        String.valueOf(finding.seen()).length() > LONG,
        compares ? null : finding.asked(),
        cause == null ? null : cause.id(),
        others == 0 ? "" : others == 1 ? "1 more way" : others + " more ways",
        report.repetition().words(List.of(result.rule())));
  }

  private static Timeline timeline(Story.Played played) {
    List<Row> rows = new ArrayList<>();
    List<Story.Breaker> before = played.start();
    String time = "0 ns";
    rows.add(new Row("", time, true, List.of(), false, "", lanes(before, List.of())));
    List<Story.Event> events = played.events();
    for (int i = 0; i < events.size(); i++) {
      int first = i;
      while (i + 1 < events.size()
          && looksAlike(events.get(i), events.get(i + 1))
          && states(before).equals(states(events.get(i + 1).breakers()))) {
        i++;
      }
      Story.Event event = events.get(i);
      rows.add(
          new Row(
              first == i ? "" + (i + 1) : (first + 1) + "\u2013" + (i + 1),
              unbroken(event.time()),
              !event.time().equals(time),
              List.of(event.what().split("(?<=\\()", -1)),
              event.isClock(),
              event.answer(),
              lanes(event.breakers(), before)));
      before = event.breakers();
      time = event.time();
    }
    List<Fact> tools =
        played.start().stream().map(breaker -> new Fact(breaker.tool(), "")).toList();
    return new Timeline(played.setting(), !events.isEmpty(), tools, rows);
  }

  /** Where there is little room, a time breaks before its sign, and not before its unit. */
  private static String unbroken(String time) {
    return time.replace("- ", "\u2212 ").replaceAll("(?<=[0-9+\u2212]) ", "\u00a0");
  }

  /** Whether one line can stand for both: the same is done, and nothing but a count changes. */
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
              breaker.state().name(),
              before.isEmpty() || before.get(i).state() != breaker.state(),
              before.isEmpty() || !before.get(i).equals(breaker) ? breaker.detail() : ""));
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

  private static String words(Set<Capability> capabilities) {
    return capabilities.isEmpty()
        ? "nothing"
        : capabilities.stream()
            .map(capability -> style(capability).replace('-', ' '))
            .collect(Collectors.joining(", "));
  }

  private static String words(Duration time) {
    long millis = time.toMillis();
    return millis < 1
        ? "< 1 ms"
        : millis < 1_000 ? millis + " ms" : String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  /** With thin spaces between groups of three digits, where no line breaks. */
  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
  }
}

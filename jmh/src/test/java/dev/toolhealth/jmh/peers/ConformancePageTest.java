package dev.toolhealth.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.run.Outcome;
import dev.toolhealth.tck.run.RuleResult;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Finding;
import dev.toolhealth.tck.script.Story;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConformancePageTest {
  /**
   * Compares everything that does not depend on a run: the common text, the order, the versions.
   */
  @Test
  void theFrameIsTheOneThatIsPublished() {
    assertThat(frame(PublishedPage.text()))
        .isEqualTo(frame(ConformancePage.of(unjudged(), Conformance.RUNS, Conformance.picture())));
  }

  private static List<Judgement> unjudged() {
    return Compared.all().stream().map(subject -> new Judgement(subject, runs())).toList();
  }

  private static List<List<RuleResult>> runs(RuleResult... results) {
    return List.of(List.of(results));
  }

  /** Returns the page without the cells of its table and without the differences. */
  private static String frame(String page) {
    String differences = "Differences:.*?(?=\\n## )";
    return Pattern.compile(differences, Pattern.DOTALL)
        .matcher(page)
        .replaceAll("")
        .replaceAll("(?m)^(\\| [A-Z][a-z ]+ \\|) .*(pass|not tested).*$", "$1")
        .replaceAll("All tested rules pass\\.", "")
        .replaceAll("\\s+", " ");
  }

  @Test
  void saysInTheTableWhatCameEveryTime() {
    RuleResult kept = result(Rule.STALE_1, Outcome.PASSED);
    List<RuleResult> first =
        List.of(
            kept, failed(Rule.STALE_2), failed(Rule.STALE_3), result(Rule.BRK_1, Outcome.PASSED));
    List<RuleResult> second =
        List.of(kept, failed(Rule.STALE_2), result(Rule.STALE_3, Outcome.PASSED));
    Judgement judgement = new Judgement(Compared.failsafe(), List.of(first, second));
    assertThat(judgement.cell(Rule.Chapter.STALE))
        .isEqualTo("1 of 3 pass; differs: STALE-2; varies: STALE-3");
    assertThat(judgement.cell(Rule.Chapter.LEASE)).isEqualTo("not tested");
    assertThat(judgement.departures()).extracting(Departure::rule).containsExactly(Rule.STALE_2);
  }

  private static RuleResult result(Rule rule, Outcome outcome) {
    return new RuleResult(rule, outcome, 1, List.of(), "");
  }

  private static RuleResult failed(Rule rule) {
    Departure departure =
        departure(rule, new Story.Told("many callers"), Finding.comparison("sum", 1, 2));
    return new RuleResult(rule, Outcome.FAILED, 1, List.of(departure), "");
  }

  private static Departure departure(Rule rule, Story story, Finding finding) {
    return new Departure(rule, story, finding, Departure.Evidence.SYMPTOM);
  }

  /** The words omit everything that depends on the machine's speed: times and repetitions. */
  @Test
  void tellsScriptsInWords() {
    Story story =
        new Story.Watched(
            "with threshold 2, on the real clock",
            List.of(
                new Story.Moment("recordFailure(\"a\", 1 ns)", "", 2, "3 ms"),
                new Story.Moment("wait until 250 ms after step 1", "", 1, ""),
                new Story.Moment("allowRequest(\"a\")", "false", 17, "260 ms")));
    Finding finding = Finding.comparison("allowRequest(\"a\")", "true (overdue by 2000 ms)", false);
    assertThat(ScriptInWords.of(departure(Rule.BRK_7, story, finding)))
        .isEqualTo(
            new ScriptInWords(
                "with threshold 2: (1) a failure (2 times), (2) wait until 250 ms after step 1,"
                    + " (3) ask the gate: refused.",
                "the gate: refused; by the rules: granted (overdue by 2000 ms)"));
  }

  @Test
  void namesToolsIfThereAreSeveral() {
    Story.Event one = event("recordFailure(\"one\", 1 ns)", "");
    Story.Event two = event("allowRequest(\"two\")", "true");
    Story story = new Story.Played("with it", List.of(), List.of(one, one, two));
    assertThat(
            ScriptInWords.of(departure(Rule.REG_1, story, Finding.sentence("the last step threw"))))
        .isEqualTo(
            new ScriptInWords(
                "with it: (1) a failure of \"one\" (2 times), (2) ask the gate of \"two\": granted.",
                "the last step threw"));
  }

  private static Story.Event event(String what, String answer) {
    return new Story.Event(what, answer, false, "0 ns", List.of());
  }
}

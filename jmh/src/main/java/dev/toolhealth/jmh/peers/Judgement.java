package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.run.Certification;
import dev.toolhealth.tck.run.Outcome;
import dev.toolhealth.tck.run.RuleResult;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What came of judging a subject, once or several times: what is said of it came every time.
 *
 * @param subject the subject
 * @param runs the results of each run
 */
record Judgement(Compared subject, List<List<RuleResult>> runs) {
  /** Which script is told does not hang on the run that it came first in. */
  private static final Comparator<Departure> ORDER =
      Comparator.comparingInt(Departure::steps)
          .thenComparing(departure -> ScriptInWords.of(departure).toString());

  static Judgement of(Compared subject, int runs) {
    return new Judgement(
        subject,
        IntStream.range(0, runs)
            .mapToObj(
                i ->
                    new Certification(subject.adapter(), Certification.DEFAULT_SEED)
                        .run(subject.rules(), account -> {}))
            .toList());
  }

  /** One departure for each rule that the subject departed from every time. */
  List<Departure> departures() {
    return always(Outcome.FAILED).stream().map(this::departure).toList();
  }

  private Departure departure(Rule rule) {
    return runs.stream()
        .flatMap(List::stream)
        .filter(result -> result.rule() == rule)
        .map(result -> result.departures().get(0))
        .min(ORDER)
        .orElseThrow();
  }

  private List<Rule> always(Outcome outcome) {
    return rules(rule -> runs.stream().allMatch(results -> has(results, rule, outcome)));
  }

  private List<Rule> varying() {
    return rules(
        rule ->
            runs.stream()
                    .flatMap(List::stream)
                    .filter(result -> result.rule() == rule)
                    .map(RuleResult::outcome)
                    .distinct()
                    .count()
                > 1);
  }

  private List<Rule> rules(Predicate<Rule> which) {
    return runs.get(0).stream().map(RuleResult::rule).filter(which).toList();
  }

  private static boolean has(List<RuleResult> results, Rule rule, Outcome outcome) {
    return results.stream()
        .anyMatch(result -> result.rule() == rule && result.outcome() == outcome);
  }

  /** What there is to say of a chapter, for a cell of the table. */
  String cell(Rule.Chapter chapter) {
    List<Rule> kept = of(chapter, always(Outcome.PASSED));
    List<Rule> departs = of(chapter, always(Outcome.FAILED));
    List<Rule> unseen = of(chapter, always(Outcome.NOT_TESTABLE));
    List<Rule> varies = of(chapter, varying());
    int asked = kept.size() + departs.size() + unseen.size() + varies.size();
    if (asked == 0) {
      return "not asked";
    }
    if (kept.size() == Arrays.stream(Rule.values()).filter(r -> r.chapter() == chapter).count()) {
      return "kept";
    }
    return "%d of %d kept".formatted(kept.size(), asked)
        + named("departs", departs)
        + named("varies", varies)
        + named("not testable", unseen);
  }

  private static List<Rule> of(Rule.Chapter chapter, List<Rule> rules) {
    return rules.stream().filter(rule -> rule.chapter() == chapter).toList();
  }

  private static String named(String word, List<Rule> rules) {
    return rules.isEmpty()
        ? ""
        : "; " + word + ": " + rules.stream().map(Rule::id).collect(Collectors.joining(", "));
  }
}

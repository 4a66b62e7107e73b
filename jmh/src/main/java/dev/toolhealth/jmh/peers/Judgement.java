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
 * The results of testing a subject once or several times. The page reports only findings that came
 * up in every run.
 *
 * @param subject the subject
 * @param runs the results of each run
 */
record Judgement(Compared subject, List<List<RuleResult>> runs) {
  /** An order that makes the choice of the script independent of the order of the runs. */
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

  /** Returns one departure for each rule that failed in every run. */
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

  /** Returns the table's cell for a chapter. */
  String cell(Rule.Chapter chapter) {
    List<Rule> kept = of(chapter, always(Outcome.PASSED));
    List<Rule> departs = of(chapter, always(Outcome.FAILED));
    List<Rule> unseen = of(chapter, always(Outcome.NOT_TESTABLE));
    List<Rule> varies = of(chapter, varying());
    int asked = kept.size() + departs.size() + unseen.size() + varies.size();
    if (asked == 0) {
      return "not tested";
    }
    if (kept.size() == Arrays.stream(Rule.values()).filter(r -> r.chapter() == chapter).count()) {
      return "all pass";
    }
    return "%d of %d pass".formatted(kept.size(), asked)
        + named("differs", departs)
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

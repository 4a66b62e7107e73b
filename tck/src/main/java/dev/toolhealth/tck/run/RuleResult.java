package dev.toolhealth.tck.run;

import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/**
 * What came of one rule.
 *
 * @param rule the rule
 * @param outcome what came of it
 * @param cases how many answers of the subject were held against it
 * @param departures where the subject went wrong, what tells most first: a minimal script, the
 *     shortest of them
 * @param remark why it is not testable, or what it takes for it to be applicable; or empty
 */
public record RuleResult(
    Rule rule, Outcome outcome, long cases, List<Departure> departures, String remark) {

  /**
   * Creates a result.
   *
   * @param rule the rule
   * @param outcome what came of it
   * @param cases how many answers of the subject were held against it
   * @param departures where the subject went wrong, in any order
   * @param remark why it is not testable, or what it takes for it to be applicable; or empty
   */
  public RuleResult {
    departures = departures.stream().sorted(Departure.MOST_TELLING_FIRST).toList();
  }

  /** What tells most about a rule that has failed. */
  Departure first() {
    return departures.get(0);
  }
}

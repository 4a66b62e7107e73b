package dev.toolhealth.tck.run;

import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/**
 * The result of one rule.
 *
 * @param rule the rule
 * @param outcome the outcome
 * @param cases the number of answers compared with the rule
 * @param departures the departures from the rule, the most telling first, such as the shortest
 *     minimal script
 * @param remark the reason why the rule is not testable, or the capabilities needed for it to
 *     apply; otherwise empty
 */
public record RuleResult(
    Rule rule, Outcome outcome, long cases, List<Departure> departures, String remark) {

  /**
   * Creates a result.
   *
   * @param rule the rule
   * @param outcome the outcome
   * @param cases the number of answers compared with the rule
   * @param departures the departures from the rule, in any order
   * @param remark the reason why the rule is not testable, or the capabilities needed for it to
   *     apply; otherwise empty
   */
  public RuleResult {
    departures = departures.stream().sorted(Departure.MOST_TELLING_FIRST).toList();
  }

  /** Returns the most telling departure of a failed rule. */
  Departure first() {
    return departures.get(0);
  }
}

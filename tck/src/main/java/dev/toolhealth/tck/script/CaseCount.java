package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.EnumMap;
import java.util.Map;

/** A counter of cases for each rule. A case is an answer checked against the rule. */
public final class CaseCount {
  // An array of one element. Boxing a number for each answer would be most of the work.
  private final Map<Rule, long[]> counts = new EnumMap<>(Rule.class);

  /** Creates a counter without cases. */
  public CaseCount() {}

  void count(Rule rule) {
    counts.computeIfAbsent(rule, none -> new long[1])[0]++;
  }

  /**
   * Returns the number of cases of a rule.
   *
   * @param rule the rule
   * @return the number, 0 or more
   */
  public long of(Rule rule) {
    long[] count = counts.get(rule);
    return count == null ? 0 : count[0];
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.EnumMap;
import java.util.Map;

/** A counter of cases for each rule. A case is an answer checked against the rule. */
public final class CaseCount {
  private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);

  /** Creates a counter without cases. */
  public CaseCount() {}

  void count(Rule rule) {
    counts.merge(rule, 1L, Long::sum);
  }

  /**
   * Returns the number of cases of a rule.
   *
   * @param rule the rule
   * @return the number, 0 or more
   */
  public long of(Rule rule) {
    return counts.getOrDefault(rule, 0L);
  }
}

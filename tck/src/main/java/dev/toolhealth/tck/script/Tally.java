package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.EnumMap;
import java.util.Map;

/** Counts, for each rule, how many answers it has decided that a subject was held against. */
public final class Tally {
  private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);

  /** Creates a tally of nothing. */
  public Tally() {}

  void count(Rule rule) {
    counts.merge(rule, 1L, Long::sum);
  }

  /**
   * Says how many answers a rule has decided.
   *
   * @param rule the rule
   * @return how many, 0 or more
   */
  public long of(Rule rule) {
    return counts.getOrDefault(rule, 0L);
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.EnumSet;
import java.util.Set;

/** Says what goes wrong with permits, in a script that goes right by name. */
final class PermitDiagnosis {
  /** What reports do, each with a rule of its own; asking decides as the gate does. */
  private static final Set<Rule> REPORTS =
      EnumSet.of(Rule.PERMIT_2, Rule.PERMIT_3, Rule.PERMIT_4, Rule.PERMIT_5);

  private final Symptom symptom;

  PermitDiagnosis(Symptom symptom) {
    this.symptom = symptom;
  }

  /** The last report is to blame: in a minimal script it would not be there if it were right. */
  Rule rule() {
    Walk walk = symptom.start();
    Rule blamed = Rule.PERMIT_1;
    for (Step step : symptom.script().steps()) {
      Rule rule = walk.take(step);
      if (REPORTS.contains(rule)) {
        blamed = rule;
      }
    }
    return blamed;
  }
}

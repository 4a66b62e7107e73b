package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.EnumSet;
import java.util.Set;

/** A search for the broken permit rule, in a script that goes right when played by name. */
final class PermitDiagnosis {
  /** The rules about reports. PERMIT-1 is about requests, which decide exactly as the gate does. */
  private static final Set<Rule> REPORTS =
      EnumSet.of(Rule.PERMIT_2, Rule.PERMIT_3, Rule.PERMIT_4, Rule.PERMIT_5);

  private final Symptom symptom;

  PermitDiagnosis(Symptom symptom) {
    this.symptom = symptom;
  }

  /** Returns the rule of the last report: a minimal script contains no harmless report. */
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

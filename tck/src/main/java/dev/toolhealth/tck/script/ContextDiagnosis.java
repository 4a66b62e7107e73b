package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import dev.toolhealth.tck.spec.Rule.Chapter;
import java.util.EnumSet;
import java.util.Set;

/**
 * A search for the broken rule in the rest of a minimal script, such as a second tool, a second
 * probe, or a reconfiguration. The minimal script contains them only because the mistake does not
 * show without them. So the rules about them are broken.
 */
final class ContextDiagnosis {
  private static final String TOOL = "a";

  private final Symptom symptom;
  private final Script script;

  ContextDiagnosis(Symptom symptom) {
    this.symptom = symptom;
    this.script = symptom.script();
  }

  /** Returns the given rule, or a more specific rule that the rest of the script points to. */
  Rule refine(Rule rule) {
    if (symptom.goesRight(script.startingAt(script.clockStart() == 0 ? Diagnosis.VERY_LONG : 0))
        || symptom.goesRight(script.quicker())) {
      return Rule.BAD_2;
    }
    if (symptom.goesRight(script.withDurations(1))) {
      return durationsMatter(rule);
    }
    if (symptom.contains(Step.Configure.class)) {
      return Rule.REG_4;
    }
    if (isAboutSeveralTools() || symptom.differenceOf(script.renamed(TOOL), TOOL).isEmpty()) {
      return Rule.REG_1;
    }
    if (rule.chapter() == Chapter.STAT || rule.chapter() == Chapter.ORACLE) {
      return symptom.contains(Step.GetHandle.class) ? Rule.REG_2 : rule;
    }
    int probes = probes() + (rule == Rule.BRK_3 && hasRecovered() ? 1 : 0);
    if (probes >= 2 && (rule.chapter() == Chapter.BRK || rule.chapter() == Chapter.STALE)) {
      return Rule.BRK_12;
    }
    if (probes >= 2 && rule.chapter() == Chapter.LEASE) {
      return probes == 2 ? Rule.LEASE_3 : Rule.BRK_12;
    }
    return special(rule);
  }

  /** Returns whether a probe has closed the breaker, so that the breaker is in a later round. */
  private boolean hasRecovered() {
    Walk walk = symptom.start();
    return script.steps().stream().anyMatch(step -> walk.take(step) == Rule.BRK_9);
  }

  private Rule durationsMatter(Rule rule) {
    if (rule.chapter() == Chapter.SCORE) {
      return Rule.SCORE_6;
    }
    if (script.hasNegativeDuration()) {
      return Rule.STAT_6;
    }
    boolean recordingThrew = symptom.question() == null && symptom.endsWithAnOutcome();
    return recordingThrew ? Rule.STAT_3 : rule;
  }

  /**
   * Returns the rules about a missing cooldown or lease. If the script had gone wrong with a
   * cooldown and a lease too, the diagnosis would have found another rule before.
   */
  private Rule special(Rule rule) {
    if (script.config().recoveryNanos() == 0
        && EnumSet.of(Rule.BRK_6, Rule.BRK_7, Rule.BRK_8).contains(rule)) {
      return Rule.BRK_11;
    }
    return script.config().probeTimeoutNanos() == 0
            && EnumSet.of(Rule.BRK_7, Rule.BRK_8, Rule.BRK_9, Rule.BRK_10, Rule.LEASE_1)
                .contains(rule)
        ? Rule.LEASE_4
        : rule;
  }

  private boolean isAboutSeveralTools() {
    if (symptom.isAnswerTo(Question.ROUTE)) {
      return false;
    }
    Set<String> tools = script.tools();
    if (!symptom.tool().isEmpty()) {
      tools.add(symptom.tool());
    }
    return tools.size() > 1;
  }

  /** Returns the number of probes that are granted before the wrong answer. */
  private int probes() {
    Walk walk = symptom.start();
    int probes = 0;
    for (Step step : symptom.before().steps()) {
      if (step instanceof Step.AllowRequest ask
          && walk.model().circuitState(ask.tool(), walk.now()).value() == CircuitState.OPEN
          && walk.model().isToolAvailable(ask.tool(), walk.now()).value()) {
        probes++;
      }
      walk.take(step);
    }
    return probes;
  }
}

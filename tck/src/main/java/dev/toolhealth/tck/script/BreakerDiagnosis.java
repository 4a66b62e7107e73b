package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A search for the breaker rule that a subject breaks. Two kinds of mistakes are possible: a step
 * had a wrong effect, perhaps long before the wrong answer, or the breaker handles time wrongly.
 */
final class BreakerDiagnosis {
  /**
   * Rules about the last step. If the state after the step is right, and only the oracle is wrong,
   * then the breaker handles time wrongly.
   */
  private static final Set<Rule> TIMING_DECIDES_AFTER =
      EnumSet.of(
          Rule.BRK_1, Rule.BRK_3, Rule.BRK_4, Rule.BRK_5, Rule.BRK_7, Rule.BRK_11, Rule.LEASE_2);

  private final Symptom symptom;
  private final Script script;

  BreakerDiagnosis(Symptom symptom) {
    this.symptom = symptom;
    this.script = symptom.script();
  }

  /** Returns the rule of the step that had a wrong effect, or a rule about time if none had. */
  Rule rule() {
    if (script.steps().isEmpty()) {
      return Rule.BRK_1;
    }
    if (symptom.isAnswerTo(Question.CONSECUTIVE_FAILURES)
        && !(symptom.last() instanceof Step.RecordSuccess)) {
      return Rule.BRK_2;
    }
    Rule effect = symptom.effect();
    if (effect == null && symptom.rule() == Rule.LEASE_5) {
      return closesAfterTheLease() ? Rule.LEASE_1 : Rule.LEASE_5;
    }
    if (effect == null || (TIMING_DECIDES_AFTER.contains(effect) && onlyTheAnswerIsWrong())) {
      return atTheGate();
    }
    if (effect == Rule.STALE_1 || effect == Rule.STALE_3) {
      return effect; // a stale success changes nothing, whatever came before the success
    }
    if (effect == Rule.BRK_7 && symptom.isAnswerTo(Question.STATE) && probeIsTaken()) {
      return Rule.LEASE_1;
    }
    return ignored().orElse(effect);
  }

  /** Returns whether the breaker's state is right and only the oracle's answer is wrong. */
  private boolean onlyTheAnswerIsWrong() {
    return symptom.isAnswerTo(Question.AVAILABLE) && symptom.stateIs(true);
  }

  /**
   * Returns whether the gate treats the next call as during a probe, although the state is wrong.
   */
  private boolean probeIsTaken() {
    return symptom.gateGoesRight(symptom.thenAskTheGate());
  }

  /** Returns whether an expired probe looks live not only to reads, but also closes the breaker. */
  private boolean closesAfterTheLease() {
    Script late = script.then(new Step.RecordSuccess(symptom.tool(), 1));
    return symptom.replay().runThenAsk(late, Question.STATE, symptom.tool()).isPresent();
  }

  /** Returns the broken rule if the gate is wrong, or the gate and the oracle together. */
  Rule atTheGate() {
    return closedGate(timed(symptom.rule()));
  }

  /** Returns the broken rule for an answer that depends on the time since an earlier event. */
  private Rule timed(Rule expected) {
    if (!symptom.expected().equals(false)) {
      Optional<Rule> ignored = ignored();
      if (ignored.isPresent()) {
        return ignored.get();
      }
    }
    if (expected == Rule.BRK_6 || expected == Rule.BRK_7) {
      return cooldownStart().orElse(expected);
    }
    if (expected == Rule.BRK_8 || expected == Rule.LEASE_2) {
      boolean leaseIsMistaken = symptom.stateIs(false);
      return leaseIsMistaken || symptom.differenceOf(witnessed()).isEmpty()
          ? Rule.LEASE_1
          : expected;
    }
    return expected;
  }

  /**
   * Returns the script with an additional gate call at each end of a lease. If the script goes
   * right with these calls, the subject counts from the call that notices the end of the lease.
   */
  private Script witnessed() {
    Walk walk = symptom.start();
    List<Step> steps = new ArrayList<>();
    for (Step step : script.steps()) {
      long start = walk.now();
      String tool = script.tools().iterator().next();
      boolean live = walk.model().circuitState(tool, start).value() == CircuitState.HALF_OPEN;
      long toTheEnd = walk.model().nextBoundary(tool, start) - start;
      if (live && step instanceof Step.Advance a && toTheEnd > 0 && toTheEnd < a.nanos()) {
        steps.add(walk.passing(toTheEnd));
        steps.add(new Step.AllowRequest(tool));
        walk.take(new Step.AllowRequest(tool));
        steps.add(walk.passing(a.nanos() - toTheEnd));
      } else {
        steps.add(step);
        walk.take(step);
      }
    }
    return new Script(script.config(), script.clockStart(), steps);
  }

  /**
   * Returns the rule of the first step that the breaker should have ignored. A minimal script
   * contains such a step only if the breaker did not ignore the step.
   */
  private Optional<Rule> ignored() {
    Walk walk = symptom.start();
    for (Step step : symptom.beforeTheLast().steps()) {
      Rule rule = walk.take(step);
      // A refused call must postpone neither the end of the cooldown nor the end of the lease.
      boolean refused = walk.lastAnswer().equals(false);
      if (refused && rule == Rule.BRK_6) {
        return Optional.of(Rule.BRK_3);
      }
      if (refused && goesRightWithoutLease()) {
        return Optional.of(Rule.LEASE_1);
      }
      if (rule == Rule.STALE_1 || rule == Rule.STALE_3) {
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }

  private boolean goesRightWithoutLease() {
    Config config = script.config();
    Config withoutLease = new Config(config.failureThreshold(), config.recoveryNanos(), 0);
    return symptom.goesRight(new Script(withoutLease, script.clockStart(), script.steps()));
  }

  /**
   * Returns the rule that sets the start of the current cooldown. A failure in CLOSED at time 0
   * does not count: no time has passed yet, so the subject cannot take another instant for the
   * start.
   */
  private Optional<Rule> cooldownStart() {
    Walk walk = symptom.start();
    Optional<Rule> start = Optional.empty();
    for (Step step : script.steps()) {
      Rule rule = walk.take(step);
      if (rule == Rule.BRK_10 || rule == Rule.STALE_2 || rule == Rule.STALE_4) {
        start = Optional.of(rule);
      } else if (rule == Rule.BRK_3) {
        start = walk.now() > 0 ? Optional.of(rule) : Optional.empty();
      }
    }
    return start;
  }

  /** Returns SCORE-7 if the gate refuses a closed breaker whose tool is not healthy. */
  private Rule closedGate(Rule rule) {
    return symptom.isClosedButNotHealthy() && !symptom.stateIs(false) ? Rule.SCORE_7 : rule;
  }
}

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
 * Says what a breaker does wrong. Either a step has done what it should not have, perhaps long
 * before that shows, or the breaker goes wrong by the time.
 */
final class BreakerDiagnosis {
  /** If the breaker has done what these say, what is wrong is how it goes by the time. */
  private static final Set<Rule> LEAVE_TIME_TO_TELL =
      EnumSet.of(
          Rule.BRK_1, Rule.BRK_3, Rule.BRK_4, Rule.BRK_5, Rule.BRK_7, Rule.BRK_11, Rule.LEASE_2);

  private final Symptom symptom;
  private final Script script;

  BreakerDiagnosis(Symptom symptom) {
    this.symptom = symptom;
    this.script = symptom.script();
  }

  /** Something that was done is to blame, or if time alone led here, what time should do. */
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
    if (effect == null || (LEAVE_TIME_TO_TELL.contains(effect) && onlyTheAnswerIsWrong())) {
      return atTheGate();
    }
    if (effect == Rule.STALE_1 || effect == Rule.STALE_3) {
      return effect; // whatever came before it, it should have done nothing
    }
    if (effect == Rule.BRK_7 && symptom.isAnswerTo(Question.STATE) && probeIsTaken()) {
      return Rule.LEASE_1;
    }
    return ignored().orElse(effect);
  }

  /** Whether the breaker has done what it should, and it is only the oracle that is wrong. */
  private boolean onlyTheAnswerIsWrong() {
    return symptom.isAnswerTo(Question.AVAILABLE) && symptom.stateIs(true);
  }

  /** Whether the next call is refused, as if the probe were out, though the state is another. */
  private boolean probeIsTaken() {
    return symptom.gateGoesRight(symptom.thenAskTheGate());
  }

  /** Whether it is not only the read that takes an expired probe for live. */
  private boolean closesAfterTheLease() {
    Script late = script.then(new Step.RecordSuccess(symptom.tool(), 1));
    return symptom.replay().runThenAsk(late, Question.STATE, symptom.tool()).isPresent();
  }

  /** Says what is wrong if the gate is, or an oracle that goes astray with it. */
  Rule atTheGate() {
    return closedGate(timed(symptom.rule()));
  }

  /** What is to blame for an answer that hangs on how much time has passed since something. */
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

  /** The same with a call at the instant at which the lease ends, in case that is not noticed. */
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

  /** Finds a step that the breaker should have ignored: without it the script would go right. */
  private Optional<Rule> ignored() {
    Walk walk = symptom.start();
    for (Step step : symptom.beforeTheLast().steps()) {
      Rule rule = walk.take(step);
      // A refused call must not put off the cooldown's end, nor the lease's.
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

  /** Finds what the cooldown should count from, unless it is a trip that time plays no part in. */
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

  /** A gate that refuses a closed breaker may be going by the score. */
  private Rule closedGate(Rule rule) {
    return symptom.isPoorAndClosed() && !symptom.stateIs(false) ? Rule.SCORE_7 : rule;
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.script.Replay.Asking;
import dev.toolhealth.tck.script.Replay.Difference;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/**
 * Finds out which rule a subject breaks, by playing variations of a minimal script to it. The
 * difference that shows is often only a consequence: a success that wrongly closes an open breaker
 * shows as a gate that should have refused.
 */
final class Diagnosis {
  private final Replay replay;
  private final Script script;
  private final Difference difference;

  private Diagnosis(Replay replay, Script script, Difference difference) {
    this.replay = replay;
    this.script = script.first(difference.step() + 1);
    this.difference = difference;
  }

  /** Names the rule, and tells the story. The script should be as short as it can be. */
  static Departure of(Replay replay, Script script, Difference difference) {
    Diagnosis diagnosis = new Diagnosis(replay, script, difference);
    return new Departure(diagnosis.rule(), diagnosis.story(), diagnosis.finding());
  }

  private Story story() {
    return Telling.of(
        script, difference.question() == null ? difference.seen() : wholeWalk().lastAnswer());
  }

  private Finding finding() {
    Question question = difference.question();
    String asked = question == null ? "the last step" : question.wording(difference.tool());
    return Finding.comparison(asked, difference.expected().value(), difference.seen());
  }

  private Rule rule() {
    Question question = difference.question();
    if (question == null) {
      return overall(closedGate(difference.expected().rule()));
    }
    if (replay.runThenAsk(script, question, difference.tool()).isEmpty()) {
      return Rule.ORACLE_2; // it goes right as long as nobody looks
    }
    if (difference.tool().equals(Replay.UNSEEN)) {
      return Rule.REG_3;
    }
    return switch (question) {
      case AVAILABLE -> available();
      case STATE, CONSECUTIVE_FAILURES -> breaker();
      case SUCCESSES, FAILURES, TOTAL -> counted();
      case DURATION_SUM, MAX_DURATION, AVERAGE_DURATION -> duration();
      case SUCCESS_RATE, EWMA, SCORE, STATUS, ROUTE, TOOL_COUNT, SUMMARY ->
          script.steps().isEmpty() ? difference.expected().rule() : judged();
    };
  }

  /** Is it the oracle that is wrong, or what it tells of? The gate decides. */
  private Rule available() {
    Script withGate = script.then(new Step.AllowRequest(difference.tool()));
    if (replay.run(withGate, Asking.NEVER, new Tally()).isEmpty()) {
      return isPoorAndClosed(difference.tool()) ? Rule.ORACLE_3 : Rule.ORACLE_1;
    }
    return breaker();
  }

  /**
   * An outcome or a gate call that led here is to blame; if time alone did, what time should do.
   */
  private Rule breaker() {
    Rule effect = difference.effect();
    if (effect == null) {
      return overall(difference.expected().rule());
    }
    boolean failed = last() instanceof Step.RecordFailure;
    return overall(
        difference.question() == Question.CONSECUTIVE_FAILURES && failed ? Rule.BRK_2 : effect);
  }

  private Rule counted() {
    Walk walk = wholeWalk();
    boolean closed =
        walk.model().circuitState(difference.tool(), walk.now()).value() == CircuitState.CLOSED;
    return isolated(closed ? Rule.STAT_1 : Rule.STAT_7);
  }

  private Rule duration() {
    boolean negative =
        script.steps().stream()
            .anyMatch(
                step ->
                    (step instanceof Step.RecordSuccess s && s.nanos() < 0)
                        || (step instanceof Step.RecordFailure f && f.nanos() < 0));
    return isolated(negative ? Rule.STAT_6 : difference.expected().rule());
  }

  private Rule judged() {
    return isolated(difference.expected().rule());
  }

  /** A gate that refuses a closed breaker may be going by the score. */
  private Rule closedGate(Rule rule) {
    return last() instanceof Step.AllowRequest ask && isPoorAndClosed(ask.tool())
        ? Rule.SCORE_7
        : rule;
  }

  private boolean isPoorAndClosed(String tool) {
    Walk walk = wholeWalk();
    return walk.model().circuitState(tool, walk.now()).value() == CircuitState.CLOSED
        && walk.model().healthStatus(tool, walk.now()).value() != HealthStatus.HEALTHY;
  }

  /** Whatever else a minimal script contains is needed to show the fault. */
  private Rule overall(Rule rule) {
    if (script.clockStart() != 0
        && replay.run(script.startingAt(0), Asking.ALWAYS, new Tally()).isEmpty()) {
      return Rule.BAD_2;
    }
    if (script.steps().stream().anyMatch(Step.Configure.class::isInstance)) {
      return Rule.REG_4;
    }
    if (isolated(rule) == Rule.REG_1) {
      return Rule.REG_1;
    }
    if (probes() < 2) {
      return rule;
    }
    return rule.chapter() == Rule.Chapter.LEASE ? Rule.LEASE_3 : Rule.BRK_12;
  }

  private Rule isolated(Rule rule) {
    return script.tools().size() > 1 && difference.question() != Question.ROUTE ? Rule.REG_1 : rule;
  }

  private Step last() {
    return script.steps().get(script.steps().size() - 1);
  }

  /** How many probes are granted before the last step. */
  private int probes() {
    Walk walk = new Walk(script.config(), List.of());
    int probes = 0;
    for (Step step : script.first(script.steps().size() - 1).steps()) {
      if (step instanceof Step.AllowRequest ask
          && walk.model().circuitState(ask.tool(), walk.now()).value() == CircuitState.OPEN
          && walk.model().isToolAvailable(ask.tool(), walk.now()).value()) {
        probes++;
      }
      walk.take(step);
    }
    return probes;
  }

  private Walk wholeWalk() {
    return new Walk(script.config(), script.steps());
  }
}

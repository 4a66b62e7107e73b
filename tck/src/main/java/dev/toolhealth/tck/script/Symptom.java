package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.script.Replay.Asking;
import dev.toolhealth.tck.script.Replay.Difference;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A wrong answer at the end of a script, with methods that try related scripts and questions. */
final class Symptom {
  private final Replay replay;
  private final Script script;
  private final Difference difference;

  Symptom(Replay replay, Script script, Difference difference) {
    this.replay = replay;
    this.script = script.first(difference.step() + 1);
    this.difference = difference;
  }

  Replay replay() {
    return replay;
  }

  Script script() {
    return script;
  }

  /** Returns the question, or null if the last step's own answer is wrong. */
  @Nullable Question question() {
    return difference.question();
  }

  boolean isAnswerTo(Question question) {
    return difference.question() == question;
  }

  /** Returns the tool that the wrong answer is about, or an empty name for all tools. */
  String tool() {
    return question() == null && last() instanceof Step.AllowRequest ask
        ? ask.tool()
        : difference.tool();
  }

  Object expected() {
    return difference.expected().value();
  }

  Object seen() {
    return difference.seen();
  }

  /** Returns the rule that demands the right answer. */
  Rule rule() {
    return difference.expected().rule();
  }

  /** Returns the rule that governs the last step's effect, or null if only time passes. */
  @Nullable Rule effect() {
    return difference.effect();
  }

  // The script.

  @Nullable Step last() {
    return script.steps().isEmpty() ? null : script.steps().get(script.steps().size() - 1);
  }

  boolean endsWithAnOutcome() {
    return last() instanceof Step.RecordSuccess || last() instanceof Step.RecordFailure;
  }

  boolean contains(Class<? extends Step> kind) {
    return script.steps().stream().anyMatch(kind::isInstance);
  }

  Script beforeTheLast() {
    return script.first(Math.max(0, script.steps().size() - 1));
  }

  /** Returns the steps before the wrong answer. */
  Script before() {
    return question() == null ? beforeTheLast() : script;
  }

  Script thenAskTheGate() {
    return script.then(new Step.AllowRequest(tool()));
  }

  /** Returns the model before the first step. */
  Walk start() {
    return new Walk(script.config(), List.of());
  }

  /** Returns the model after the last step. */
  Walk end() {
    return new Walk(script.config(), script.steps());
  }

  /** Returns whether the tool is not healthy although its breaker is closed. */
  boolean isClosedButNotHealthy() {
    Walk end = end();
    return end.model().circuitState(tool(), end.now()).value() == CircuitState.CLOSED
        && end.model().healthStatus(tool(), end.now()).value() != HealthStatus.HEALTHY;
  }

  // The subject.

  /** Returns whether another script goes right; false if it is the same script. */
  boolean goesRight(Script other) {
    return !other.equals(script) && differenceOf(other).isEmpty();
  }

  /** Returns whether all answers of the gate are right if no questions are asked. */
  boolean gateGoesRight(Script other) {
    return replay.run(other, Asking.NEVER, new CaseCount()).isEmpty();
  }

  Optional<Difference> differenceOf(Script other) {
    return differenceOf(other, difference.tool());
  }

  Optional<Difference> differenceOf(Script other, String tool) {
    Question question = question();
    return replay
        .run(other, Asking.ALWAYS, new CaseCount())
        .or(() -> replay.run(other, Asking.AT_THE_END, new CaseCount()))
        .or(() -> question == null ? Optional.empty() : replay.runThenAsk(other, question, tool));
  }

  /** Returns whether the subject shows a state, and the state is right or wrong as given. */
  boolean stateIs(boolean right) {
    return replay.asks(Question.STATE)
        && replay.runThenAsk(before(), Question.STATE, tool()).isEmpty() == right;
  }
}

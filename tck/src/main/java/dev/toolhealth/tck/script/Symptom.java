package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.script.Replay.Asking;
import dev.toolhealth.tck.script.Replay.Difference;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A wrong answer at the end of a script, and the means to try whether others are wrong as well. */
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

  /** What was asked, or null if it is the last step's own answer that is wrong. */
  @Nullable Question question() {
    return difference.question();
  }

  boolean isAnswerTo(Question question) {
    return difference.question() == question;
  }

  /** The tool that the wrong answer is about, or empty if it is about all. */
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

  /** The rule that the right answer follows from. */
  Rule rule() {
    return difference.expected().rule();
  }

  /** What the last step does, or null if it is only time that passes. */
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

  /** The steps that have led to the question, or to the step whose own answer is wrong. */
  Script before() {
    return question() == null ? beforeTheLast() : script;
  }

  Script thenAskTheGate() {
    return script.then(new Step.AllowRequest(tool()));
  }

  /** The model before anything is done. */
  Walk start() {
    return new Walk(script.config(), List.of());
  }

  /** The model after everything is done. */
  Walk end() {
    return new Walk(script.config(), script.steps());
  }

  /** Whether something is amiss with the tool, but its breaker knows nothing of that. */
  boolean isPoorAndClosed() {
    Walk end = end();
    return end.model().circuitState(tool(), end.now()).value() == CircuitState.CLOSED
        && end.model().healthStatus(tool(), end.now()).value() != HealthStatus.HEALTHY;
  }

  // The subject.

  /** Whether a script goes right, and is another. */
  boolean goesRight(Script other) {
    return !other.equals(script) && differenceOf(other).isEmpty();
  }

  /** Whether the gate answers as it should all along if nothing else is asked. */
  boolean gateGoesRight(Script other) {
    return replay.run(other, Asking.NEVER, new Tally()).isEmpty();
  }

  Optional<Difference> differenceOf(Script other) {
    return differenceOf(other, difference.tool());
  }

  Optional<Difference> differenceOf(Script other, String tool) {
    Question question = question();
    return replay
        .run(other, Asking.ALWAYS, new Tally())
        .or(() -> replay.run(other, Asking.AT_THE_END, new Tally()))
        .or(() -> question == null ? Optional.empty() : replay.runThenAsk(other, question, tool));
  }

  /** Whether the subject shows a state, and it is the right one, or a wrong one. */
  boolean stateIs(boolean right) {
    return replay.asks(Question.STATE)
        && replay.runThenAsk(before(), Question.STATE, tool()).isEmpty() == right;
  }
}

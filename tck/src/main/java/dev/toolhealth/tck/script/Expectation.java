package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Subject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An answer that is expected of the gate, or to a question. */
public final class Expectation {
  private final @Nullable Question question;
  private final Object value;

  private Expectation(@Nullable Question question, Object value) {
    this.question = question;
    this.value = value;
  }

  /**
   * The gate lets the call through.
   *
   * @return the expectation
   */
  public static Expectation granted() {
    return new Expectation(null, true);
  }

  /**
   * The gate refuses the call.
   *
   * @return the expectation
   */
  public static Expectation refused() {
    return new Expectation(null, false);
  }

  /**
   * The oracle answers so.
   *
   * @param value its answer
   * @return the expectation
   */
  public static Expectation available(boolean value) {
    return new Expectation(Question.AVAILABLE, value);
  }

  /**
   * The breaker's state is this.
   *
   * @param value the state
   * @return the expectation
   */
  public static Expectation state(CircuitState value) {
    return new Expectation(Question.STATE, value);
  }

  /**
   * The run of failures is so long.
   *
   * @param value how many came in a row
   * @return the expectation
   */
  public static Expectation consecutiveFailures(long value) {
    return new Expectation(Question.CONSECUTIVE_FAILURES, value);
  }

  /**
   * So many calls have succeeded.
   *
   * @param value how many
   * @return the expectation
   */
  public static Expectation successes(long value) {
    return new Expectation(Question.SUCCESSES, value);
  }

  /**
   * So many calls have failed.
   *
   * @param value how many
   * @return the expectation
   */
  public static Expectation failures(long value) {
    return new Expectation(Question.FAILURES, value);
  }

  /**
   * The status is this.
   *
   * @param value the status
   * @return the expectation
   */
  public static Expectation status(HealthStatus value) {
    return new Expectation(Question.STATUS, value);
  }

  /**
   * The route leads to this tool.
   *
   * @param value its name
   * @return the expectation
   */
  public static Expectation route(String value) {
    return new Expectation(Question.ROUTE, value);
  }

  /**
   * There are so many tools.
   *
   * @param value how many
   * @return the expectation
   */
  public static Expectation toolCount(long value) {
    return new Expectation(Question.TOOL_COUNT, value);
  }

  Set<Capability> needs() {
    return question == null ? Set.of() : question.needs();
  }

  boolean isOfTheGate() {
    return question == null;
  }

  Object value() {
    return value;
  }

  boolean isMetBy(Object seen) {
    return Question.agree(value, seen);
  }

  String wording(String tool) {
    return question == null ? new Step.AllowRequest(tool).toString() : question.wording(tool);
  }

  Object ask(Subject subject, String tool) {
    return question == null ? subject.allowRequest(tool) : question.ask(subject, tool);
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Subject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An expected answer of the gate, or to a question. */
public final class Expectation {
  private final @Nullable Question question;
  private final Object value;

  private Expectation(@Nullable Question question, Object value) {
    this.question = question;
    this.value = value;
  }

  /**
   * Expects the gate to admit the call.
   *
   * @return the expectation
   */
  public static Expectation granted() {
    return new Expectation(null, true);
  }

  /**
   * Expects the gate to refuse the call.
   *
   * @return the expectation
   */
  public static Expectation refused() {
    return new Expectation(null, false);
  }

  /**
   * Expects an answer of the oracle.
   *
   * @param value the answer
   * @return the expectation
   */
  public static Expectation available(boolean value) {
    return new Expectation(Question.AVAILABLE, value);
  }

  /**
   * Expects a state of the breaker.
   *
   * @param value the state
   * @return the expectation
   */
  public static Expectation state(CircuitState value) {
    return new Expectation(Question.STATE, value);
  }

  /**
   * Expects a number of consecutive failures.
   *
   * @param value the number
   * @return the expectation
   */
  public static Expectation consecutiveFailures(long value) {
    return new Expectation(Question.CONSECUTIVE_FAILURES, value);
  }

  /**
   * Expects a number of successes.
   *
   * @param value the number
   * @return the expectation
   */
  public static Expectation successes(long value) {
    return new Expectation(Question.SUCCESSES, value);
  }

  /**
   * Expects a number of failures.
   *
   * @param value the number
   * @return the expectation
   */
  public static Expectation failures(long value) {
    return new Expectation(Question.FAILURES, value);
  }

  /**
   * Expects a status.
   *
   * @param value the status
   * @return the expectation
   */
  public static Expectation status(HealthStatus value) {
    return new Expectation(Question.STATUS, value);
  }

  /**
   * Expects the route to lead to a tool.
   *
   * @param value the tool's name
   * @return the expectation
   */
  public static Expectation route(String value) {
    return new Expectation(Question.ROUTE, value);
  }

  /**
   * Expects a number of tools.
   *
   * @param value the number
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

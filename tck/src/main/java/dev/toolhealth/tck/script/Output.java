package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * The output of a tool after an input, in words, so that equal outputs have equal hash codes in
 * every run.
 *
 * @param answer the answer to the input itself; {@link #NONE} before the first input
 * @param available the oracle's answer afterwards; {@link #NONE} if the subject has no oracle
 * @param state the breaker's state afterwards; {@link #NONE} if the subject does not show a state
 */
public record Output(String answer, String available, String state) {
  /** The answer to a question that was not asked. */
  public static final String NONE = "";

  /** Creates an output with all answers available from a subject with these capabilities. */
  static Output of(
      Object answer, Set<Capability> capabilities, Function<Question, Object> answers) {
    return new Output(
        Objects.toString(answer),
        ask(Question.AVAILABLE, capabilities, answers),
        ask(Question.STATE, capabilities, answers));
  }

  private static String ask(
      Question question, Set<Capability> capabilities, Function<Question, Object> answers) {
    return capabilities.containsAll(question.needs())
        ? Objects.toString(answers.apply(question))
        : NONE;
  }

  /** Describes the first difference between this expected output and the actual output. */
  Finding difference(Output seen) {
    if (!answer.equals(seen.answer)) {
      return Finding.comparison(Finding.LAST_STEP, answer, seen.answer);
    }
    return available.equals(seen.available)
        ? difference(Question.STATE, state, seen.state)
        : difference(Question.AVAILABLE, available, seen.available);
  }

  private static Finding difference(Question question, String expected, String seen) {
    return Finding.comparison(question.wording(Input.TOOL), expected, seen);
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * What a tool shows when something is done to it. In words, so that equal outputs have equal hash
 * codes in every run.
 *
 * @param answer what was answered to the input itself; {@link #NONE} before the first one
 * @param available what the oracle says afterwards; {@link #NONE} if it is not claimed
 * @param state what the breaker's state is afterwards; {@link #NONE} if it is not claimed
 */
public record Output(String answer, String available, String state) {
  /** Nothing was asked. */
  public static final String NONE = "";

  /** Asks what a subject with these capabilities can be asked. */
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

  /** Says in words in what this output, which is expected, differs from another. */
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

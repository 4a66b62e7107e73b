package dev.toolhealth.tck.script;

import org.jspecify.annotations.Nullable;

/**
 * A mistake that was found: a comparison of two answers, or a sentence if there is nothing to
 * compare.
 *
 * @param asked the question, or the whole sentence
 * @param expected the right answer, in words; null with a sentence
 * @param seen the subject's answer, in words; null with a sentence
 */
public record Finding(String asked, @Nullable String expected, @Nullable String seen) {
  /** The text in place of a question, for a wrong answer of the last step itself. */
  public static final String LAST_STEP = "the last step";

  /**
   * Creates a finding that compares two answers.
   *
   * @param asked the question
   * @param expected the right answer
   * @param seen the subject's answer
   * @return the comparison
   */
  public static Finding comparison(String asked, Object expected, @Nullable Object seen) {
    return new Finding(asked, expected.toString(), String.valueOf(seen));
  }

  /**
   * Creates a finding that is a sentence.
   *
   * @param sentence the sentence
   * @return the finding
   */
  public static Finding sentence(String sentence) {
    return new Finding(sentence, null, null);
  }

  @Override
  public String toString() {
    return expected == null ? asked : "%s: expected %s, saw %s".formatted(asked, expected, seen);
  }
}

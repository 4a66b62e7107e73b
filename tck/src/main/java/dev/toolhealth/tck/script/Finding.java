package dev.toolhealth.tck.script;

import org.jspecify.annotations.Nullable;

/**
 * What was found to be wrong: a comparison, or a sentence if there is nothing to compare.
 *
 * @param asked what was asked, or the whole sentence
 * @param expected the right answer, in words; null with a sentence
 * @param seen the subject's answer, in words; null with a sentence
 */
public record Finding(String asked, @Nullable String expected, @Nullable String seen) {
  /** What stands for the question where the answer is that of the script's last step itself. */
  public static final String LAST_STEP = "the last step";

  /**
   * Compares two answers.
   *
   * @param asked what was asked
   * @param expected the right answer
   * @param seen the subject's answer
   * @return the comparison
   */
  public static Finding comparison(String asked, Object expected, @Nullable Object seen) {
    return new Finding(asked, expected.toString(), String.valueOf(seen));
  }

  /**
   * Says in words what is wrong.
   *
   * @param sentence the words
   * @return the sentence
   */
  public static Finding sentence(String sentence) {
    return new Finding(sentence, null, null);
  }

  @Override
  public String toString() {
    return expected == null ? asked : "%s: expected %s, saw %s".formatted(asked, expected, seen);
  }
}

package dev.toolhealth.tck.run;

/** The outcome of one rule. */
public enum Outcome {
  /** At least one check could run, and every check that ran has passed. */
  PASSED("passed"),

  /** The subject departs from the rule. */
  FAILED("FAILED"),

  /** The rule needs something that the subject does not claim. */
  NOT_APPLICABLE("not applicable"),

  /** The rule applies to the subject, but could not be checked on the real clock. */
  NOT_TESTABLE("not testable");

  private final String words;

  Outcome(String words) {
    this.words = words;
  }

  /**
   * Returns whether a subject can conform with this outcome.
   *
   * @return true if the rule has passed or does not apply
   */
  public boolean conforms() {
    return this == PASSED || this == NOT_APPLICABLE;
  }

  @Override
  public String toString() {
    return words;
  }
}

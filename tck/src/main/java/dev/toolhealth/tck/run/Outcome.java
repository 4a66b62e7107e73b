package dev.toolhealth.tck.run;

/** The outcome of one rule. */
public enum Outcome {
  /** At least one check has run, and no check has failed. */
  PASSED("passed"),

  /** The subject departs from the rule. */
  FAILED("FAILED"),

  /** The rule needs a capability not claimed by the subject. */
  NOT_APPLICABLE("not applicable"),

  /** The rule applies to the subject, but could not be checked on the real clock. */
  NOT_TESTABLE("not testable");

  private final String words;

  Outcome(String words) {
    this.words = words;
  }

  /**
   * Returns whether a subject can conform despite the outcome.
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

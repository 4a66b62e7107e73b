package dev.toolhealth.tck.run;

/** What came of a rule. */
public enum Outcome {
  /** Every check that could be made was passed, and at least one could. */
  PASSED("passed"),

  /** The subject departs from the rule. */
  FAILED("FAILED"),

  /** The rule is about something that the subject does not claim to offer. */
  NOT_APPLICABLE("not applicable"),

  /** The rule concerns the subject, but the kit could not check it on the real clock. */
  NOT_TESTABLE("not testable");

  private final String words;

  Outcome(String words) {
    this.words = words;
  }

  /**
   * Says whether a subject with such a rule can conform.
   *
   * @return true if the rule is kept, or does not apply
   */
  public boolean conforms() {
    return this == PASSED || this == NOT_APPLICABLE;
  }

  @Override
  public String toString() {
    return words;
  }
}

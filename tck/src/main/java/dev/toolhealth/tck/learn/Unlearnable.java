package dev.toolhealth.tck.learn;

/** Thrown if the kit cannot learn a machine from a subject. */
public final class Unlearnable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message the reason
   */
  Unlearnable(String message) {
    super(message);
  }
}

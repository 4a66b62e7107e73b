package dev.toolhealth.tck.learn;

/** A subject that is not a machine of the size that the kit is prepared to learn. */
public final class Unlearnable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message what was seen
   */
  Unlearnable(String message) {
    super(message);
  }
}

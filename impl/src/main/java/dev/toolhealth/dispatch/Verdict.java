package dev.toolhealth.dispatch;

/**
 * The meaning of a finished call for the health of its tool (GATE-8).
 *
 * <p>A class and not an enum, because a later kind of verdict may carry data.
 */
public final class Verdict {
  /** The tool works. A success is recorded, even if the call threw an exception. */
  public static final Verdict SUCCESS = new Verdict("SUCCESS");

  /** The tool does not work. A failure is recorded, even if the call returned a value. */
  public static final Verdict FAILURE = new Verdict("FAILURE");

  /**
   * The call says nothing about the tool. Nothing is recorded, and if the call was the probe, the
   * next call becomes the probe.
   */
  public static final Verdict NO_OUTCOME = new Verdict("NO_OUTCOME");

  private final String name;

  private Verdict(String name) {
    this.name = name;
  }

  @Override
  public String toString() {
    return name;
  }
}

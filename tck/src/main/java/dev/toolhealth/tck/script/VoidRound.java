package dev.toolhealth.tck.script;

/** Thrown if a round shows nothing about the subject, because the machine was too slow. */
public final class VoidRound extends RuntimeException {
  private static final long serialVersionUID = 1;

  VoidRound(String reason) {
    // Without a stack trace: a void round is normal on a busy machine.
    super(reason, null, false, false);
  }
}

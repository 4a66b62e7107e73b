package dev.toolhealth.tck.script;

/** The machine was too slow for a round to show anything. It says nothing about the subject. */
public final class VoidRound extends RuntimeException {
  private static final long serialVersionUID = 1;

  VoidRound(String reason) {
    // Without a stack: it is the course of things on a busy machine.
    super(reason, null, false, false);
  }
}

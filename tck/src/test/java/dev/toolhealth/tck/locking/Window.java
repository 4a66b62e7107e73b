package dev.toolhealth.tck.locking;

/** The time between a check and what is done upon it, in a subject that others can race there. */
final class Window {
  private Window() {}

  /** Lets others in between: so often that a busy machine does not keep them out. */
  @SuppressWarnings("ThreadPriorityCheck") // it is a hint, and all that hangs on it is a chance
  static void open() {
    for (int i = 0; i < 20; i++) {
      Thread.yield();
    }
  }
}

package dev.toolhealth.tck.locking;

/** The time between a check and the following action, in an implementation with a race. */
final class Window {
  private Window() {}

  /** Yields often enough that another thread gets in between even on a busy machine. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint that only makes the race more likely
  static void open() {
    for (int i = 0; i < 20; i++) {
      Thread.yield();
    }
  }
}

package dev.toolhealth.tck.locking;

/** The time between a check and the following action, in an implementation with a race. */
final class Window {
  private Window() {}

  /** The name of the kit's racing threads. A thread that calls alone has nobody to let in. */
  private static final String RACING = "caller";

  /** Yields often enough that another thread gets in between even on a busy machine. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint that only makes the race more likely
  static void open() {
    if (!Thread.currentThread().getName().equals(RACING)) {
      return;
    }
    for (int i = 0; i < 20; i++) {
      Thread.yield();
    }
  }
}

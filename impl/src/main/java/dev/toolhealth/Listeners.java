package dev.toolhealth;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The listeners of a registry. */
final class Listeners {
  private static final System.Logger LOGGER = System.getLogger(Listeners.class.getPackageName());

  private final List<Registered> all = new CopyOnWriteArrayList<>();

  ToolListener.Registration add(ToolListener listener) {
    Registered registered = new Registered(listener);
    all.add(registered);
    return registered;
  }

  /** Notifies every listener. An exception of a listener is logged and reaches no caller. */
  void notifyEach(Consumer<ToolListener> event) {
    for (Registered each : all) {
      // The iterator is a snapshot and still returns listeners that were removed meanwhile.
      if (!each.isClosed) {
        try {
          event.accept(each.listener);
        } catch (Throwable thrown) {
          log(each.listener, thrown);
        }
      }
    }
  }

  private static void log(ToolListener listener, Throwable thrown) {
    try {
      LOGGER.log(System.Logger.Level.WARNING, "a listener failed: " + listener.getClass(), thrown);
    } catch (Throwable unloggable) {
      // The log failed as well. The caller only recorded an outcome and must not suffer.
    }
  }

  /**
   * One registration. A listener can be added twice, and each registration is closed separately.
   */
  private final class Registered implements ToolListener.Registration {
    final ToolListener listener;
    volatile boolean isClosed;

    Registered(ToolListener listener) {
      this.listener = listener;
    }

    @Override
    public void close() {
      isClosed = true;
      all.remove(this);
    }
  }
}

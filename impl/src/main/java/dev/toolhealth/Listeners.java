package dev.toolhealth;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** All listeners of a registry. */
final class Listeners {
  private static final System.Logger LOGGER = System.getLogger(Listeners.class.getPackageName());

  private final List<Registered> all = new CopyOnWriteArrayList<>();

  ToolListener.Registration add(ToolListener listener) {
    Registered registered = new Registered(listener);
    all.add(registered);
    return registered;
  }

  /** Tells everybody. What a listener throws reaches nobody. */
  void tell(Consumer<ToolListener> news) {
    for (Registered each : all) {
      // Asked again, for the iterator does not see what has been taken away since it was made.
      if (!each.isClosed) {
        try {
          news.accept(each.listener);
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
      // There is nobody left to tell: whoever records has done nothing wrong.
    }
  }

  /** A listener can be added twice, and each time has its own end. */
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

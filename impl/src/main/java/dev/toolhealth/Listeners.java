package dev.toolhealth;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All listeners of a registry. */
final class Listeners {
  private static final System.Logger LOGGER = System.getLogger(Listeners.class.getPackageName());

  /**
   * Set in a thread that is within a call of a listener, of whatever registry: it must not wait for
   * another such call, which may be waiting for this one.
   */
  private static final ThreadLocal<@Nullable Boolean> TELLING = new ThreadLocal<>();

  private final List<Registered> all = new CopyOnWriteArrayList<>();

  ToolListener.Registration add(ToolListener listener) {
    Registered registered = new Registered(listener);
    all.add(registered);
    return registered;
  }

  /** Tells everybody. What a listener throws reaches nobody. */
  void tell(Consumer<ToolListener> news) {
    for (Registered listener : all) {
      listener.tell(news);
    }
  }

  private final class Registered implements ToolListener.Registration {
    private final ToolListener listener;

    /** Read while the listener is called, written to wait for the end of such calls. */
    private final ReentrantReadWriteLock calls = new ReentrantReadWriteLock();

    private volatile boolean closed;

    Registered(ToolListener listener) {
      this.listener = listener;
    }

    void tell(Consumer<ToolListener> news) {
      // Whoever records must not wait for somebody who closes: so this tries, and does not queue.
      if (closed || !calls.readLock().tryLock()) {
        return;
      }
      boolean outermost = false;
      try {
        outermost = TELLING.get() == null;
        TELLING.set(true);
        if (!closed) {
          news.accept(listener);
        }
      } catch (Throwable thrown) {
        log(thrown);
      } finally {
        if (outermost) {
          TELLING.remove();
        }
        calls.readLock().unlock();
      }
    }

    private void log(Throwable thrown) {
      try {
        LOGGER.log(
            System.Logger.Level.WARNING, "a listener failed: " + listener.getClass(), thrown);
      } catch (Throwable unloggable) {
        // There is nobody left to tell: whoever records has done nothing wrong.
      }
    }

    @Override
    @SuppressWarnings("LockNotBeforeTry") // there is nothing to do between the two but to wait
    public void close() {
      closed = true;
      all.remove(this);
      if (TELLING.get() == null) {
        calls.writeLock().lock();
        calls.writeLock().unlock();
      }
    }
  }
}

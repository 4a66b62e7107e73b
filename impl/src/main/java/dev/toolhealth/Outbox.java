package dev.toolhealth;

import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Hands a tool's transitions on, one at a time and in the order in which they happened. Threads
 * that have made one put it here with its number; one of them delivers all that are due, and the
 * others go on with what they were doing.
 */
final class Outbox {
  private final Listeners listeners;
  private final Queue<Numbered> arrived = new ConcurrentLinkedQueue<>(); // whose puts never block
  private final AtomicBoolean delivering = new AtomicBoolean();

  // Both belong to whoever has set `delivering`.
  private final Map<Integer, Transition> waiting = new HashMap<>();
  private int next = 1;

  private record Numbered(int number, Transition transition) {}

  Outbox(Listeners listeners) {
    this.listeners = listeners;
  }

  void put(int number, Transition transition) {
    arrived.add(new Numbered(number, transition));
  }

  /** Delivers what is due, unless somebody is at it: then that one sees to it. */
  void deliver() {
    // Looks again after letting go, for what has arrived while nobody else could deliver it.
    while (!arrived.isEmpty() && delivering.compareAndSet(false, true)) {
      try {
        deliverDue();
      } finally {
        delivering.set(false); // also if the stack or the memory is used up
      }
    }
  }

  private void deliverDue() {
    for (Numbered each; (each = arrived.poll()) != null; ) {
      waiting.put(each.number, each.transition);
    }
    for (Transition due; (due = waiting.remove(next)) != null; ) {
      next++; // before anything can fail, so that nobody waits for what is delivered
      Transition transition = due;
      JfrEvents.emit(transition);
      listeners.tell(listener -> listener.onTransition(transition));
    }
  }
}

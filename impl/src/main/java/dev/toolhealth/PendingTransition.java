package dev.toolhealth;

import dev.toolhealth.Transition.Cause;
import org.jspecify.annotations.Nullable;

/**
 * A transition of a breaker, linked to earlier transitions that await delivery to the listeners.
 * Each state refers to the transition that led there. The swap of the state therefore also
 * publishes the transition, in the right order.
 */
final class PendingTransition {
  final Cause cause;
  final long nanoTime;

  // Only the notifying thread touches these two fields. After delivery the thread unlinks the
  // transition, so that a breaker holds no history.
  @Nullable PendingTransition previous;
  boolean isDelivered;

  PendingTransition(Cause cause, long nanoTime, @Nullable PendingTransition previous) {
    this.cause = cause;
    this.nanoTime = nanoTime;
    this.previous = previous;
  }
}

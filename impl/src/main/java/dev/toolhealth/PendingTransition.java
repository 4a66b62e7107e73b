package dev.toolhealth;

import dev.toolhealth.Transition.Cause;
import org.jspecify.annotations.Nullable;

/**
 * A transition of a breaker, linked to the earlier ones that listeners have not been notified of
 * yet. The state that a transition leads to holds it, so the swap that changes the state also
 * publishes the transition, in its place in the order.
 */
final class PendingTransition {
  final Cause cause;
  final long nanoTime;

  // Only the thread that is notifying listeners touches these two. It unlinks what it has
  // delivered,
  // so that a breaker holds no history.
  @Nullable PendingTransition previous;
  boolean isDelivered;

  PendingTransition(Cause cause, long nanoTime, @Nullable PendingTransition previous) {
    this.cause = cause;
    this.nanoTime = nanoTime;
    this.previous = previous;
  }
}

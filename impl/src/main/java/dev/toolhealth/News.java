package dev.toolhealth;

import dev.toolhealth.Transition.Cause;
import org.jspecify.annotations.Nullable;

/**
 * A transition of a breaker, and those before it of which nobody has been told yet. It comes with
 * the state that it has led to. So it is there as soon as it has happened, and in its place.
 */
final class News {
  final Cause cause;
  final long nanoTime;

  // Both belong to whoever tells; what was told lets go of all that was before it.
  @Nullable News before;
  boolean isTold;

  News(Cause cause, long nanoTime, @Nullable News before) {
    this.cause = cause;
    this.nanoTime = nanoTime;
    this.before = before;
  }
}

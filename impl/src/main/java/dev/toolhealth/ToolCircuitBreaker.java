package dev.toolhealth;

import dev.toolhealth.BreakerState.Closed;
import dev.toolhealth.BreakerState.HalfOpen;
import dev.toolhealth.BreakerState.Open;
import dev.toolhealth.BreakerState.Tripped;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one tool. {@link ToolHealth} is one, and does not have one: that saves the
 * closed gate, which does next to nothing else, a step from object to object.
 */
sealed class ToolCircuitBreaker permits ToolHealth {
  /*
   * One reference to an immutable BreakerState holds everything that must change together. A writer
   * reads it, reads the clock, computes the next state, and swaps the reference if it is still the
   * one that was read; else it starts again with the newer state and a newer time. Somebody else's
   * swap is the only reason to start again, so some writer always gets through (CONC-3). Readers
   * write nothing (ORACLE-2). They look at the state again after the clock, and start again if it
   * has changed: no state comes back, so one that is still there was there all the while, and an old
   * cooldown is never held against a time at which it had been replaced.
   *
   * The order "state, then clock" is what keeps `now` from being older than the times in the state:
   * whoever put a time there read the clock before it published the state.
   *
   * A closed breaker is asked for nothing that depends on the time, so its clock is not read: one
   * read of the clock costs more than all the rest of the path.
   */

  private static final VarHandle STATE =
      Fields.of(MethodHandles.lookup(), "state", BreakerState.class);
  private static final VarHandle TELLING =
      Fields.of(MethodHandles.lookup(), "telling", boolean.class);

  /** What stands for the time where the state's answer does not depend on it. */
  private static final long UNREAD = 0;

  private final CircuitBreakerConfig config;
  private final LongSupplier clock;
  private final Listeners listeners;
  final String name;

  private volatile BreakerState state = new Closed(null);

  /** Whether somebody is telling of transitions. */
  @SuppressWarnings("UnusedVariable") // set through TELLING
  private volatile boolean telling;

  ToolCircuitBreaker(
      String name, CircuitBreakerConfig config, LongSupplier clock, Listeners listeners) {
    this.name = name;
    this.config = config;
    this.clock = clock;
    this.listeners = listeners;
  }

  /** The gate: decides one call, and takes the probe if this call is it (BRK-1, BRK-6 to BRK-8). */
  boolean allowRequest() {
    return admit(false) != null;
  }

  /** The state that lets this call through, as the probe or not; null if it is refused. */
  final @Nullable BreakerState admit(boolean withPermit) {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed) {
        return current;
      }
      long now = clock.getAsLong();
      BreakerState seen = current.at(config, now);
      if (seen instanceof Open open && open.admits(config, now)) {
        BreakerState probe = open.afterGrant(withPermit, now);
        if (moveOn(current, probe)) {
          return probe;
        }
      } else if (moveOn(current, seen)) {
        return null;
      }
    }
  }

  /** The oracle: what {@link #allowRequest} would answer, and nothing else (ORACLE-1, ORACLE-2). */
  boolean isAvailable() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed) {
        return true;
      }
      long now = clock.getAsLong();
      boolean admits = current.at(config, now).admits(config, now);
      // A state that refuses now has refused since it was read, so only a yes needs a second look.
      if (!admits || current == stateAcquire()) {
        return admits;
      }
    }
  }

  /** Heeds or ignores the success of a call, which {@code admission} let through, null by name. */
  void heedSuccess(@Nullable BreakerState admission) {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed closed) {
        if (!closed.heeds(admission) || closed.endRun()) {
          return;
        }
        trip(closed);
      } else if (current instanceof Tripped tripped) {
        long now = clock.getAsLong();
        if (moveOn(tripped, tripped.at(config, now).afterSuccess(admission, now))) {
          return;
        }
      }
    }
  }

  /** Heeds or ignores the failure of a call, which {@code admission} let through, null by name. */
  void heedFailure(@Nullable BreakerState admission) {
    for (int losses = 0; ; Backoff.afterLoss(++losses)) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed closed) {
        if (!closed.heeds(admission)) {
          return;
        }
        boolean counted = closed.countFailure(config);
        if (closed.hasStopped()) {
          trip(closed);
        }
        if (counted) {
          return;
        }
      } else if (current instanceof Tripped tripped) {
        long now = clock.getAsLong();
        if (moveOn(tripped, tripped.at(config, now).afterFailure(admission, now))) {
          return;
        }
      }
    }
  }

  /** Gives back the probe's slot, if {@code admission} is that of the live probe (PERMIT-4). */
  void cancel(BreakerState admission) {
    if (admission instanceof HalfOpen probe) {
      long now = clock.getAsLong();
      if (probe.at(config, now) == probe) {
        // If this fails the probe is over: only its lease can have ended it beside its permit.
        moveOn(probe, probe.afterCancellation(config, now));
      }
    }
  }

  private void trip(Closed closed) {
    moveOn(closed, closed.opened(clock.getAsLong()));
  }

  /** One state and one time, for questions that must agree with each other. */
  View view() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed) {
        return new View(current, config, UNREAD);
      }
      long now = clock.getAsLong();
      if (current == stateAcquire()) {
        return new View(current.at(config, now), config, now);
      }
    }
  }

  // Acquire pairs with the swap: whoever sees a state also sees the counters that were written
  // before it, so that nobody sees a trip without its failures. One variable needs no more than
  // that to be read in the order in which it was written.
  private BreakerState stateAcquire() {
    return (BreakerState) STATE.getAcquire(this);
  }

  /** Swaps the state; false if a rival was first: the loops above start again. */
  private boolean moveOn(BreakerState current, BreakerState next) {
    if (next == current) {
      return true;
    }
    if (!STATE.compareAndSet(this, current, next)) {
      return false;
    }
    if (next.news() != current.news()) {
      tellNews();
    }
    return true;
  }

  /** Tells of what has happened, unless somebody is at it: then that one sees to it. */
  private void tellNews() {
    News latest;
    do {
      if (!TELLING.compareAndSet(this, false, true)) {
        return;
      }
      try {
        latest = state.news();
        tellUpTo(latest);
      } finally {
        telling = false; // also if the stack or the memory is used up, and without a call
      }
      // A volatile read: an acquiring one could go before the write, and miss the transition of
      // somebody who has still found it set.
    } while (latest != state.news());
  }

  private void tellUpTo(@Nullable News latest) {
    Deque<News> due = new ArrayDeque<>();
    for (News each = latest; each != null && !each.isTold; each = each.before) {
      due.push(each);
    }
    for (News each : due) {
      each.isTold = true; // before anything can fail, so that nothing is told twice
      each.before = null;
      Transition transition = new Transition(name, each.cause, each.nanoTime);
      JfrEvents.emit(transition);
      listeners.tell(listener -> listener.onTransition(transition));
    }
  }

  /** What a state has become by one instant. */
  record View(BreakerState state, CircuitBreakerConfig config, long now) {
    Optional<Duration> retryAfter() {
      return state.retryAfter(config, now);
    }
  }
}

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
 * A lock-free circuit breaker for one tool. {@link ToolHealth} extends this class instead of
 * holding an instance. The inheritance saves the closed gate one dereference, and the gate does
 * little else.
 */
sealed class ToolCircuitBreaker permits ToolHealth {
  /*
   * One reference to a BreakerState holds everything that must change together. A writer reads the
   * reference, reads the clock, computes the next state, and swaps the reference if nobody else has
   * swapped it meanwhile. Otherwise the writer retries with the newer state and a newer time. Only
   * another thread's successful swap causes a retry, so some writer always gets through (CONC-3).
   *
   * Readers write nothing (ORACLE-2). They read the state again after the clock, and retry if the
   * state has changed. A breaker never returns to an earlier state object, so two equal reads prove
   * that the state did not change between them. A reader therefore never compares an old cooldown
   * with a time after the cooldown's replacement.
   *
   * The order "state, then clock" guarantees that `now` is never older than the times in the state:
   * each writer has read its time from the clock before publishing the state.
   *
   * No answer of a closed breaker depends on the time, so a closed breaker does not read the clock.
   * One read of the clock costs more than the rest of the path.
   */

  private static final VarHandle STATE =
      Fields.of(MethodHandles.lookup(), "state", BreakerState.class);
  private static final VarHandle NOTIFYING =
      Fields.of(MethodHandles.lookup(), "notifying", boolean.class);

  /** The time in a view of a closed breaker, where no answer depends on the time. */
  private static final long UNREAD = 0;

  private final CircuitBreakerConfig config;
  private final LongSupplier clock;
  private final Listeners listeners;
  final String name;

  private volatile BreakerState state = new Closed(null);

  /** True while a thread is notifying listeners. */
  @SuppressWarnings("UnusedVariable") // set through NOTIFYING
  private volatile boolean notifying;

  ToolCircuitBreaker(
      String name, CircuitBreakerConfig config, LongSupplier clock, Listeners listeners) {
    this.name = name;
    this.config = config;
    this.clock = clock;
    this.listeners = listeners;
  }

  /** Decides one call, and grants the probe if a probe is due (BRK-1, BRK-6 to BRK-8). */
  boolean allowRequest() {
    return admit(false) != null;
  }

  /** Returns the state that admits this call, as the probe or not, or null for a refusal. */
  final @Nullable BreakerState admit(boolean withPermit) {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed) {
        return current;
      }
      long now = clock.getAsLong();
      BreakerState seen = current.asOf(config, now);
      if (seen instanceof Open open && open.admits(config, now)) {
        BreakerState probe = open.afterGrant(withPermit, now);
        if (swap(current, probe)) {
          return probe;
        }
      } else if (swap(current, seen)) {
        return null;
      }
    }
  }

  /** Returns what {@link #allowRequest} would return, and changes nothing (ORACLE-1, ORACLE-2). */
  boolean isAvailable() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed) {
        return true;
      }
      long now = clock.getAsLong();
      boolean admits = current.asOf(config, now).admits(config, now);
      // A state that refuses now has refused ever since the read. Only a yes needs the second look.
      if (!admits || current == stateAcquire()) {
        return admits;
      }
    }
  }

  /** Applies or ignores a success. {@code admission} admitted the call; null for calls by name. */
  void applySuccess(@Nullable BreakerState admission) {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed closed) {
        if (!closed.admitted(admission) || closed.resetFailures()) {
          return;
        }
        trip(closed);
      } else if (current instanceof Tripped tripped) {
        long now = clock.getAsLong();
        if (swap(tripped, tripped.asOf(config, now).afterSuccess(admission, now))) {
          return;
        }
      }
    }
  }

  /** Applies or ignores a failure. {@code admission} admitted the call; null for calls by name. */
  void applyFailure(@Nullable BreakerState admission) {
    for (int losses = 0; ; Backoff.afterLoss(++losses)) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed closed) {
        if (!closed.admitted(admission)) {
          return;
        }
        boolean counted = closed.countFailure(config);
        if (closed.isFrozen()) {
          trip(closed);
        }
        if (counted) {
          return;
        }
      } else if (current instanceof Tripped tripped) {
        long now = clock.getAsLong();
        if (swap(tripped, tripped.asOf(config, now).afterFailure(admission, now))) {
          return;
        }
      }
    }
  }

  /** Returns the probe's slot, if {@code admission} belongs to the live probe (PERMIT-4). */
  void cancel(BreakerState admission) {
    if (admission instanceof HalfOpen probe) {
      long now = clock.getAsLong();
      if (probe.asOf(config, now) == probe) {
        // No retry: only the permit and the lease can end a probe. After a lost swap, the probe is
        // over.
        swap(probe, probe.afterCancellation(config, now));
      }
    }
  }

  private void trip(Closed closed) {
    swap(closed, closed.toOpen(clock.getAsLong()));
  }

  /** Returns a state with a time, so that all answers taken from the view agree. */
  View view() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof Closed) {
        return new View(current, config, UNREAD);
      }
      long now = clock.getAsLong();
      if (current == stateAcquire()) {
        return new View(current.asOf(config, now), config, now);
      }
    }
  }

  // Acquire pairs with the swap. The counters are written before the state. With a plain read, a
  // thread could see a trip without the failures behind the trip. Nothing stronger is needed: reads
  // of one variable see the values in the order of their writes.
  private BreakerState stateAcquire() {
    return (BreakerState) STATE.getAcquire(this);
  }

  /** Replaces the state. Returns false if another thread was faster; the callers then retry. */
  private boolean swap(BreakerState current, BreakerState next) {
    if (next == current) {
      return true;
    }
    if (!STATE.compareAndSet(this, current, next)) {
      return false;
    }
    if (next.transition() != current.transition()) {
      notifyListeners();
    }
    return true;
  }

  /** Delivers pending transitions, unless another thread is at work and will deliver them too. */
  private void notifyListeners() {
    PendingTransition latest;
    do {
      if (!NOTIFYING.compareAndSet(this, false, true)) {
        return;
      }
      try {
        latest = state.transition();
        notifyUpTo(latest);
      } finally {
        // A plain assignment. A method call could fail when the stack or the memory is used up, and
        // would then silence this tool's listeners for ever.
        notifying = false;
      }
      // A volatile read. An acquire read could move ahead of the write above and miss a transition
      // of another thread, which found the flag still set and left its delivery to this thread.
    } while (latest != state.transition());
  }

  private void notifyUpTo(@Nullable PendingTransition latest) {
    Deque<PendingTransition> due = new ArrayDeque<>();
    for (PendingTransition each = latest; each != null && !each.isDelivered; each = each.previous) {
      due.push(each);
    }
    for (PendingTransition each : due) {
      each.isDelivered = true; // before anything can fail, so that nothing is delivered twice
      each.previous = null;
      Transition transition = new Transition(name, each.cause, each.nanoTime);
      JfrEvents.emit(transition);
      listeners.notifyEach(listener -> listener.onTransition(transition));
    }
  }

  /** A breaker's state as of one instant. */
  record View(BreakerState state, CircuitBreakerConfig config, long now) {
    boolean admits() {
      return state.admits(config, now);
    }

    Optional<Duration> retryAfter() {
      return state.retryAfter(config, now);
    }
  }
}

package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

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

  private static final VarHandle STATE;

  static {
    try {
      STATE =
          MethodHandles.lookup()
              .findVarHandle(ToolCircuitBreaker.class, "state", BreakerState.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What stands for the time where the state's answer does not depend on it. */
  private static final long UNREAD = 0;

  private final CircuitBreakerConfig config;
  private final LongSupplier clock;

  @SuppressWarnings("UnusedVariable") // reached through STATE
  private volatile BreakerState state = new BreakerState.Closed();

  ToolCircuitBreaker(CircuitBreakerConfig config, LongSupplier clock) {
    this.config = config;
    this.clock = clock;
  }

  /** The gate: decides one call, and takes the probe if this call is it (BRK-1, BRK-6 to BRK-8). */
  boolean allowRequest() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof BreakerState.Closed) {
        return true;
      }
      long now = clock.getAsLong();
      if (!current.admits(config, now)) {
        return false;
      }
      if (compareAndSetState(
          current, new BreakerState.HalfOpen(now, current.consecutiveFailures()))) {
        return true;
      }
    }
  }

  /** The oracle: what {@link #allowRequest} would answer, and nothing else (ORACLE-1, ORACLE-2). */
  boolean isAvailable() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof BreakerState.Closed) {
        return true;
      }
      boolean admits = current.admits(config, clock.getAsLong());
      // A state that refuses now has refused since it was read, so only a yes needs a second look.
      if (!admits || current == stateAcquire()) {
        return admits;
      }
    }
  }

  void recordSuccess() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof BreakerState.Closed closed) {
        if (closed.endRun()) {
          return;
        }
        open(closed);
      } else {
        BreakerState next =
            ((BreakerState.Tripped) current).afterSuccess(config, clock.getAsLong());
        if (next == current || compareAndSetState(current, next)) {
          return;
        }
      }
    }
  }

  void recordFailure() {
    for (int losses = 0; ; Backoff.afterLoss(++losses)) {
      BreakerState current = stateAcquire();
      if (current instanceof BreakerState.Closed closed) {
        boolean counted = closed.countFailure(config);
        if (closed.hasStopped()) {
          open(closed);
        }
        if (counted) {
          return;
        }
      } else if (compareAndSetState(
          current, ((BreakerState.Tripped) current).afterFailure(config, clock.getAsLong()))) {
        return;
      }
    }
  }

  private void open(BreakerState.Closed closed) {
    compareAndSetState(closed, closed.opened(clock.getAsLong()));
  }

  /** One state and one time, for questions that must agree with each other. */
  View view() {
    for (; ; ) {
      BreakerState current = stateAcquire();
      if (current instanceof BreakerState.Closed) {
        return new View(current, config, UNREAD);
      }
      long now = clock.getAsLong();
      if (current == stateAcquire()) {
        return new View(current, config, now);
      }
    }
  }

  // Acquire pairs with the swap: whoever sees a state also sees the counters that were written
  // before it, so that nobody sees a trip without its failures. One variable needs no more than
  // that to be read in the order in which it was written.
  private BreakerState stateAcquire() {
    return (BreakerState) STATE.getAcquire(this);
  }

  // Strong, so that a failed swap means a rival's success: the loops above lean on it.
  private boolean compareAndSetState(BreakerState expected, BreakerState next) {
    return STATE.compareAndSet(this, expected, next);
  }

  /** A state at one instant. */
  record View(BreakerState state, CircuitBreakerConfig config, long now) {
    CircuitState circuitState() {
      return state.label(config, now);
    }

    long consecutiveFailures() {
      return state.consecutiveFailures();
    }

    Optional<Duration> retryAfter() {
      return state.retryAfter(config, now);
    }
  }
}

package dev.toolhealth.tck.locking;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** A tool with a lock for its counters and CAS for the breaker's state, an immutable object. */
class SwappingTool extends LockingTool {

  /** A state. The time is the cooldown's start while OPEN and the grant while HALF_OPEN. */
  record State(CircuitState name, long failures, long time) {}

  final AtomicReference<State> breaker =
      new AtomicReference<>(new State(CircuitState.CLOSED, 0, 0));

  SwappingTool(Config config, LongSupplier clock) {
    super(config, clock);
  }

  State read() {
    return requireNonNull(breaker.get());
  }

  /** Replaces {@code before} by {@code next}, and returns false if the state has changed. */
  boolean swap(State before, State next) {
    return breaker.compareAndSet(before, next);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public boolean allowRequest() {
    while (true) {
      State before = read();
      if (before.name() == CircuitState.CLOSED) {
        return true;
      }
      long now = clock.getAsLong();
      State current = seenAt(before, now);
      if (!mayProbe(current, now)) {
        return false;
      }
      if (swap(before, new State(CircuitState.HALF_OPEN, current.failures(), now))) {
        return true;
      }
    }
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void recordSuccess(long nanos) {
    synchronized (this) {
      countSuccess(nanos);
    }
    while (true) {
      State before = read();
      if (seenAt(before, clock.getAsLong()).name() == CircuitState.OPEN
          || swap(before, new State(CircuitState.CLOSED, 0, 0))) {
        return;
      }
    }
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  public void recordFailure(long nanos) {
    synchronized (this) {
      countFailure(nanos);
    }
    while (true) {
      State before = read();
      long now = clock.getAsLong();
      if (swap(before, afterFailure(seenAt(before, now), now))) {
        return;
      }
    }
  }

  State afterFailure(State current, long now) {
    long failures = current.failures() + 1;
    boolean trips = config.failureThreshold() != 0 && failures >= config.failureThreshold();
    if (current.name() == CircuitState.CLOSED && !trips) {
      return new State(CircuitState.CLOSED, failures, 0);
    }
    boolean back = current.name() == CircuitState.OPEN && now - current.time() < 0;
    return new State(CircuitState.OPEN, failures, back ? current.time() : now);
  }

  /** Returns the state as of a time. An expired probe counts as OPEN. */
  State seenAt(State current, long now) {
    boolean expired =
        current.name() == CircuitState.HALF_OPEN
            && config.probeTimeoutNanos() != 0
            && now - current.time() >= config.probeTimeoutNanos();
    return expired
        ? new State(
            CircuitState.OPEN, current.failures(), current.time() + config.probeTimeoutNanos())
        : current;
  }

  boolean mayProbe(State current, long now) {
    return current.name() == CircuitState.OPEN && now - current.time() >= config.recoveryNanos();
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  boolean isAvailable() {
    return atOneInstant(
        (state, now) -> state.name() == CircuitState.CLOSED || mayProbe(state, now));
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  CircuitState circuitState() {
    return atOneInstant((state, now) -> state.name());
  }

  /** Answers from a state that was still current after the clock was read. */
  @SuppressWarnings("ReferenceEquality") // a later state may be equal
  private <T> T atOneInstant(BiFunction<State, Long, T> answer) {
    while (true) {
      State before = read();
      long now = clock.getAsLong();
      if (before == read()) {
        return answer.apply(seenAt(before, now), now);
      }
    }
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  long consecutiveFailures() {
    return read().failures();
  }
}

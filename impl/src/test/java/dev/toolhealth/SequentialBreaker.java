package dev.toolhealth;

import static dev.toolhealth.CircuitState.CLOSED;
import static dev.toolhealth.CircuitState.HALF_OPEN;
import static dev.toolhealth.CircuitState.OPEN;

/**
 * A sequential breaker, written from the rules alone, whose caller passes the time. It is
 * immutable, so that a search can backtrack. The threshold and the lease must not be 0.
 *
 * @param since the start of the cooldown or the lease or, while CLOSED, the time when the breaker
 *     closed
 */
record SequentialBreaker(
    int threshold, long recovery, long lease, CircuitState state, long since, long failures) {

  static SequentialBreaker closed(int threshold, long recovery, long lease) {
    return new SequentialBreaker(threshold, recovery, lease, CLOSED, 0, 0);
  }

  /** Returns the state at a time. An expired probe is OPEN since its lease's end (LEASE-1). */
  SequentialBreaker at(long now) {
    return state == HALF_OPEN && now >= since + lease ? to(OPEN, since + lease, failures) : this;
  }

  boolean admits(long now) {
    SequentialBreaker seen = at(now);
    return switch (seen.state) {
      case CLOSED -> true;
      case OPEN -> now >= seen.since + recovery;
      case HALF_OPEN -> false;
    };
  }

  SequentialBreaker afterGate(long now) {
    return state != CLOSED && admits(now) ? to(HALF_OPEN, now, failures) : this;
  }

  SequentialBreaker afterSuccess(long now) {
    SequentialBreaker seen = at(now);
    return switch (seen.state) {
      case CLOSED -> to(CLOSED, since, 0);
      case OPEN -> seen;
      case HALF_OPEN -> to(CLOSED, now, 0);
    };
  }

  SequentialBreaker afterFailure(long now) {
    boolean closed = state == CLOSED && failures + 1 < threshold;
    return closed ? to(CLOSED, since, failures + 1) : to(OPEN, now, failures + 1);
  }

  private SequentialBreaker to(CircuitState next, long since, long failures) {
    return new SequentialBreaker(threshold, recovery, lease, next, since, failures);
  }
}

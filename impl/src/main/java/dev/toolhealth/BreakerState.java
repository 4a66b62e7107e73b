package dev.toolhealth;

import dev.toolhealth.Transition.Cause;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine: the states of a circuit breaker and the transitions between them. {@link Open}
 * and {@link HalfOpen} are immutable values, and their transitions are pure functions. {@link
 * Closed} is a counter.
 *
 * <p>{@code now} is always read after the state. Times are compared by their difference and never
 * by their order, so the clock may pass {@link Long#MAX_VALUE} (BAD-2).
 *
 * <p>A breaker never returns to an earlier state object. A successful compare-and-set therefore
 * proves that nothing has happened since the state was read. Suppose that all breakers shared one
 * "closed" object. A failure could read the object, read the clock, sleep through a whole round of
 * trip, probe and recovery, and then still swap. The cooldown would start in the past (STALE-5).
 */
sealed interface BreakerState {

  /** The answer of {@link #waitNanos} while a probe without a lease runs: no time is known. */
  long UNBOUNDED = -1;

  /** Returns the failures since the last reset, counted in every state (BRK-2). */
  long consecutiveFailures();

  /** Returns the transition into this state, or null for the first state of a breaker. */
  @Nullable PendingTransition transition();

  /** Creates the transition from this state to the next. */
  default PendingTransition transition(Cause cause, long nanoTime) {
    return new PendingTransition(cause, nanoTime, transition());
  }

  /**
   * Returns the state at {@code now}, if only time has passed since this state began. Callers ask
   * the returned state all other questions.
   */
  default BreakerState asOf(CircuitBreakerConfig config, long now) {
    return this;
  }

  /** Returns the public name of this state. */
  CircuitState label();

  /**
   * Returns how many nanoseconds from {@code now} the next call can be admitted at the latest: zero
   * if a call would be admitted now, {@link #UNBOUNDED} if nobody knows.
   */
  long waitNanos(CircuitBreakerConfig config, long now);

  /** Returns whether the gate admits a call at {@code now}. Gate and oracle both ask this. */
  default boolean admits(CircuitBreakerConfig config, long now) {
    return waitNanos(config, now) == 0;
  }

  /** Returns {@link #waitNanos} in its public form, empty if the wait is unbounded. */
  default Optional<Duration> retryAfter(CircuitBreakerConfig config, long now) {
    long nanos = waitNanos(config, now);
    return nanos == UNBOUNDED ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }

  /**
   * Admits every call and counts failures towards the threshold. Nothing here depends on the time.
   *
   * <p>The breaker trips in two steps. The failure that reaches the threshold first freezes the
   * counter by negating it. Then it swaps this state for {@link #toOpen}. A thread that finds the
   * counter frozen before the swap has happened performs the swap itself and then retries, so no
   * thread waits for another. The freeze keeps a success from slipping in between a failure and the
   * trip. Readers see the breaker as closed until the swap.
   */
  final class Closed implements BreakerState {
    private static final VarHandle FAILURES =
        Fields.of(MethodHandles.lookup(), "failures", long.class);

    private final @Nullable PendingTransition transition;

    /** The consecutive failures, negated once the counter is frozen. */
    @SuppressWarnings("UnusedVariable") // accessed through FAILURES
    private volatile long failures;

    Closed(@Nullable PendingTransition transition) {
      this.transition = transition;
    }

    @Override
    public @Nullable PendingTransition transition() {
      return transition;
    }

    /**
     * Returns whether this state counts the result of a call: this state admitted the call, or the
     * call has no permit and nobody can tell (PERMIT-3).
     */
    boolean admitted(@Nullable BreakerState admission) {
      return admission == null || admission == this;
    }

    /** Counts a failure (BRK-3, BRK-5). Returns false if the counter was frozen. */
    boolean countFailure(CircuitBreakerConfig config) {
      for (int losses = 0; ; Backoff.afterLoss(++losses)) {
        long seen = failuresAcquire();
        long next = seen + 1;
        if (seen < 0) {
          return false;
        }
        if (FAILURES.compareAndSet(this, seen, config.trips(next) ? -next : next)) {
          return true;
        }
      }
    }

    /** Resets the consecutive failures (BRK-4). Returns false if the counter was frozen. */
    boolean resetFailures() {
      long seen = failuresAcquire();
      // In the healthy steady state, the loop reads a zero and writes nothing.
      while (seen > 0 && !FAILURES.compareAndSet(this, seen, 0L)) {
        seen = failuresAcquire();
      }
      return seen >= 0;
    }

    boolean isFrozen() {
      return failuresAcquire() < 0;
    }

    /** Returns the state that follows once the counter is frozen. */
    Open toOpen(long now) {
      return new Open(now, -failuresAcquire(), transition(Cause.TRIPPED, now));
    }

    @Override
    public long consecutiveFailures() {
      long seen = failuresAcquire();
      return seen < 0 ? -seen - 1 : seen;
    }

    @Override
    public CircuitState label() {
      return CircuitState.CLOSED;
    }

    @Override
    public long waitNanos(CircuitBreakerConfig config, long now) {
      return 0;
    }

    private long failuresAcquire() {
      return (long) FAILURES.getAcquire(this);
    }
  }

  /** The states between a trip and the recovery. */
  sealed interface Tripped extends BreakerState {

    @Override
    default Tripped asOf(CircuitBreakerConfig config, long now) {
      return this;
    }

    /** Returns the state after the success of a call, which {@code admission} admitted. */
    BreakerState afterSuccess(@Nullable BreakerState admission, long now);

    /** Returns the state after the failure of a call, which {@code admission} admitted. */
    Tripped afterFailure(@Nullable BreakerState admission, long now);
  }

  /** Refuses every call until the cooldown, which starts at {@code since}, has elapsed. */
  record Open(long since, long consecutiveFailures, PendingTransition transition)
      implements Tripped {

    @Override
    public CircuitState label() {
      return CircuitState.OPEN; // however long ago the cooldown elapsed (BRK-7)
    }

    @Override
    public long waitNanos(CircuitBreakerConfig config, long now) {
      return now - since >= config.recoveryNanos() // BRK-6, BRK-7
          ? 0
          : Nanos.saturatedSum(config.recoveryNanos(), since - now);
    }

    /** Returns the state after the gate has granted the probe (BRK-7). */
    HalfOpen afterGrant(boolean hasPermit, long now) {
      return new HalfOpen(
          now, consecutiveFailures, hasPermit, transition(Cause.PROBE_GRANTED, now));
    }

    @Override
    public Open afterSuccess(@Nullable BreakerState admission, long now) {
      return this; // STALE-1, STALE-3
    }

    @Override
    public Open afterFailure(@Nullable BreakerState admission, long now) {
      return new Open(later(since, now), consecutiveFailures + 1, transition); // STALE-2, STALE-4
    }
  }

  /**
   * Waits for the result of the one probe, granted at {@code since}. Once the lease has ended, the
   * breaker has been open since the lease's end, even if nobody has noticed (LEASE-1).
   *
   * @param hasPermit whether the probe has a permit, which distinguishes the probe's result from
   *     other results
   */
  record HalfOpen(
      long since, long consecutiveFailures, boolean hasPermit, PendingTransition transition)
      implements Tripped {

    @Override
    public Tripped asOf(CircuitBreakerConfig config, long now) {
      if (!config.leasesProbes() || now - since < config.probeTimeoutNanos()) {
        return this;
      }
      long leaseEnd = since + config.probeTimeoutNanos();
      return new Open(leaseEnd, consecutiveFailures, transition(Cause.LEASE_EXPIRED, leaseEnd));
    }

    @Override
    public CircuitState label() {
      return CircuitState.HALF_OPEN;
    }

    @Override
    public long waitNanos(CircuitBreakerConfig config, long now) { // never zero (BRK-8)
      if (!config.leasesProbes()) {
        return UNBOUNDED;
      }
      long leaseLeft = Nanos.saturatedSum(config.probeTimeoutNanos(), since - now);
      return Nanos.saturatedSum(leaseLeft, config.recoveryNanos());
    }

    @Override
    public BreakerState afterSuccess(@Nullable BreakerState admission, long now) {
      return isDecidedBy(admission)
          ? new Closed(transition(Cause.PROBE_SUCCEEDED, now)) // BRK-9
          : this; // PERMIT-2
    }

    @Override
    public Tripped afterFailure(@Nullable BreakerState admission, long now) {
      return isDecidedBy(admission)
          // BRK-10
          ? new Open(
              later(since, now), consecutiveFailures + 1, transition(Cause.PROBE_FAILED, now))
          : this; // PERMIT-2
    }

    /** Returns the state after the probe was cancelled: its slot is free again (PERMIT-4). */
    Open afterCancellation(CircuitBreakerConfig config, long now) {
      long since = now - config.recoveryNanos();
      return new Open(since, consecutiveFailures, transition(Cause.PROBE_CANCELLED, now));
    }

    /** A probe by name has no permit, so any result by name counts as the probe's. */
    private boolean isDecidedBy(@Nullable BreakerState admission) {
      return admission == (hasPermit ? this : null);
    }
  }

  /** Returns the later time, which is {@code now} unless the clock has stepped back (STALE-5). */
  private static long later(long time, long now) {
    return now - time > 0 ? now : time;
  }
}

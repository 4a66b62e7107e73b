package dev.toolhealth;

import dev.toolhealth.Transition.Cause;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine: the states of a circuit breaker, and for each event what comes of it. Open and
 * half-open are immutable values, whose transitions are pure functions; closed is a count.
 *
 * <p>{@code now} is always read after the state itself. Times are compared by their difference,
 * never by their order, so that the clock may pass {@link Long#MAX_VALUE} (BAD-2).
 *
 * <p>No state is returned to once it was left. So a compare-and-set that succeeds proves that
 * nothing has happened since the state was read. With one shared "closed" object, a failure could
 * read it and then the clock, sleep through a round of trip, probe and recovery, still swap, and
 * start a cooldown in the past (STALE-5).
 */
sealed interface BreakerState {

  /** How many failures in a row, in whatever state they came (BRK-2). */
  long consecutiveFailures();

  /** The transition to this state, and those before it; null if there was none. */
  @Nullable News news();

  /** The news of the state after this one. */
  default News news(Cause cause, long nanoTime) {
    return new News(cause, nanoTime, news());
  }

  /**
   * What this state has become by {@code now}, by time alone. All other questions are asked of
   * that.
   */
  default BreakerState at(CircuitBreakerConfig config, long now) {
    return this;
  }

  /** What this state is called. */
  CircuitState label();

  /**
   * How many nanoseconds it takes at the latest until a call can be let through: zero if one would
   * be at {@code now}, {@link #UNBOUNDED} if nobody knows.
   */
  long nanosToWait(CircuitBreakerConfig config, long now);

  long UNBOUNDED = -1;

  /** Whether the gate lets a call through at {@code now}: what gate and oracle both ask. */
  default boolean admits(CircuitBreakerConfig config, long now) {
    return nanosToWait(config, now) == 0;
  }

  /** {@link #nanosToWait} for callers; empty if it is unbounded. */
  default Optional<Duration> retryAfter(CircuitBreakerConfig config, long now) {
    long nanos = nanosToWait(config, now);
    return nanos == UNBOUNDED ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }

  /**
   * Lets every call through, and counts towards the trip. Nothing here depends on the time.
   *
   * <p>The trip has two steps: the failure that brings the run to the threshold stops the count,
   * for good, and then this state gives way to {@link #opened}, which that failure sees to, or
   * whatever outcome comes upon the stopped count first. So no success comes between a failure and
   * the trip that it makes. For those who only ask, the breaker is closed until the second step.
   */
  final class Closed implements BreakerState {
    private static final VarHandle RUN = Fields.of(MethodHandles.lookup(), "run", long.class);

    private final @Nullable News news;

    /** The consecutive failures; their negative once the count has stopped. */
    @SuppressWarnings("UnusedVariable") // reached through RUN
    private volatile long run;

    Closed(@Nullable News news) {
      this.news = news;
    }

    @Override
    public @Nullable News news() {
      return news;
    }

    /** Whether the result of a call concerns this state, and not one before it (PERMIT-3). */
    boolean heeds(@Nullable BreakerState admission) {
      return admission == null || admission == this;
    }

    /** Counts a failure (BRK-3, BRK-5); false if the count had stopped. */
    boolean countFailure(CircuitBreakerConfig config) {
      for (int losses = 0; ; Backoff.afterLoss(++losses)) {
        long seen = run();
        long next = seen + 1;
        if (seen < 0) {
          return false;
        }
        if (RUN.compareAndSet(this, seen, config.trips(next) ? -next : next)) {
          return true;
        }
      }
    }

    /** Ends the run of failures (BRK-4); false if the count had stopped. */
    boolean endRun() {
      long seen = run();
      // The healthy steady state finds a zero, and writes nothing.
      while (seen > 0 && !RUN.compareAndSet(this, seen, 0L)) {
        seen = run();
      }
      return seen >= 0;
    }

    boolean hasStopped() {
      return run() < 0;
    }

    /** The state after this one, whose count has stopped. */
    Open opened(long now) {
      return new Open(now, -run(), news(Cause.TRIPPED, now));
    }

    @Override
    public long consecutiveFailures() {
      long seen = run();
      return seen < 0 ? -seen - 1 : seen;
    }

    @Override
    public CircuitState label() {
      return CircuitState.CLOSED;
    }

    @Override
    public long nanosToWait(CircuitBreakerConfig config, long now) {
      return 0;
    }

    private long run() {
      return (long) RUN.getAcquire(this);
    }
  }

  /** What follows on a trip, until the probe succeeds. */
  sealed interface Tripped extends BreakerState {

    @Override
    default Tripped at(CircuitBreakerConfig config, long now) {
      return this;
    }

    /** The state after a success of a call that was let through by {@code admission}. */
    BreakerState afterSuccess(@Nullable BreakerState admission, long now);

    /** The state after a failure of such a call. */
    Tripped afterFailure(@Nullable BreakerState admission, long now);
  }

  /** Refuses every call until the cooldown, counted from {@code since}, has elapsed. */
  record Open(long since, long consecutiveFailures, News news) implements Tripped {

    @Override
    public CircuitState label() {
      return CircuitState.OPEN; // however long ago the cooldown elapsed (BRK-7)
    }

    @Override
    public long nanosToWait(CircuitBreakerConfig config, long now) {
      return now - since >= config.recoveryNanos() // BRK-6, BRK-7
          ? 0
          : Nanos.saturatedSum(config.recoveryNanos(), since - now);
    }

    /** The state after a call was let through, as the probe (BRK-7). */
    HalfOpen afterGrant(boolean hasPermit, long now) {
      return new HalfOpen(now, consecutiveFailures, hasPermit, news(Cause.PROBE_GRANTED, now));
    }

    @Override
    public Open afterSuccess(@Nullable BreakerState admission, long now) {
      return this; // STALE-1, STALE-3
    }

    @Override
    public Open afterFailure(@Nullable BreakerState admission, long now) {
      return new Open(later(since, now), consecutiveFailures + 1, news); // STALE-2, STALE-4
    }
  }

  /**
   * Waits for the one probe, granted at {@code since}. Once its lease has run out this is a breaker
   * open since the lease's end: nobody need notice the expiry for it to count (LEASE-1).
   *
   * @param hasPermit whether the probe has a permit, so that its result can be told from others
   */
  record HalfOpen(long since, long consecutiveFailures, boolean hasPermit, News news)
      implements Tripped {

    @Override
    public Tripped at(CircuitBreakerConfig config, long now) {
      if (!config.leasesProbes() || now - since < config.probeTimeoutNanos()) {
        return this;
      }
      long leaseEnd = since + config.probeTimeoutNanos();
      return new Open(leaseEnd, consecutiveFailures, news(Cause.LEASE_EXPIRED, leaseEnd));
    }

    @Override
    public CircuitState label() {
      return CircuitState.HALF_OPEN;
    }

    @Override
    public long nanosToWait(CircuitBreakerConfig config, long now) { // never zero (BRK-8)
      if (!config.leasesProbes()) {
        return UNBOUNDED;
      }
      long leaseLeft = Nanos.saturatedSum(config.probeTimeoutNanos(), since - now);
      return Nanos.saturatedSum(leaseLeft, config.recoveryNanos());
    }

    @Override
    public BreakerState afterSuccess(@Nullable BreakerState admission, long now) {
      return isDecidedBy(admission)
          ? new Closed(news(Cause.PROBE_SUCCEEDED, now)) // BRK-9
          : this; // PERMIT-2
    }

    @Override
    public Tripped afterFailure(@Nullable BreakerState admission, long now) {
      return isDecidedBy(admission)
          // BRK-10
          ? new Open(later(since, now), consecutiveFailures + 1, news(Cause.PROBE_FAILED, now))
          : this; // PERMIT-2
    }

    /** The state after the probe was cancelled: its slot is free again (PERMIT-4). */
    Open afterCancellation(CircuitBreakerConfig config, long now) {
      long since = now - config.recoveryNanos();
      return new Open(since, consecutiveFailures, news(Cause.PROBE_CANCELLED, now));
    }

    /** Results by name all pass for those of a probe by name: none of them bears a mark. */
    private boolean isDecidedBy(@Nullable BreakerState admission) {
      return admission == (hasPermit ? this : null);
    }
  }

  /** The later of the two. It is {@code now}, unless the clock has stepped back (STALE-5). */
  private static long later(long time, long now) {
    return now - time > 0 ? now : time;
  }
}

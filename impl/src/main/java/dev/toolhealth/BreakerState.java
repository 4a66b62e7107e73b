package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;

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

  /** What this state is called at {@code now}. */
  CircuitState label(CircuitBreakerConfig config, long now);

  /** Whether the gate lets a call through at {@code now}: what gate and oracle both ask. */
  boolean admits(CircuitBreakerConfig config, long now);

  /**
   * How long at the latest until {@link #admits} answers true of this state; empty if that is not
   * bounded.
   */
  Optional<Duration> retryAfter(CircuitBreakerConfig config, long now);

  /**
   * Lets every call through, and counts towards the trip. Nothing here depends on the time.
   *
   * <p>The trip has two steps: the failure that brings the run to the threshold stops the count,
   * for good, and then this state gives way to {@link #opened}, which that failure sees to, or
   * whatever outcome comes upon the stopped count first. So no success comes between a failure and
   * the trip that it makes. For those who only ask, the breaker is closed until the second step.
   */
  final class Closed implements BreakerState {
    private static final VarHandle RUN;

    static {
      try {
        RUN = MethodHandles.lookup().findVarHandle(Closed.class, "run", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    /** The consecutive failures; their negative once the count has stopped. */
    @SuppressWarnings("UnusedVariable") // reached through RUN
    private volatile long run;

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
      while (seen > 0 && !RUN.compareAndSet(this, seen, 0)) {
        seen = run();
      }
      return seen >= 0;
    }

    boolean hasStopped() {
      return run() < 0;
    }

    /** The state after this one, whose count has stopped. */
    Open opened(long now) {
      return new Open(now, -run());
    }

    @Override
    public long consecutiveFailures() {
      long seen = run();
      return seen < 0 ? -seen - 1 : seen;
    }

    @Override
    public CircuitState label(CircuitBreakerConfig config, long now) {
      return CircuitState.CLOSED;
    }

    @Override
    public boolean admits(CircuitBreakerConfig config, long now) {
      return true;
    }

    @Override
    public Optional<Duration> retryAfter(CircuitBreakerConfig config, long now) {
      return Optional.of(Duration.ZERO);
    }

    private long run() {
      return (long) RUN.getAcquire(this);
    }
  }

  /** What follows on a trip, until the probe succeeds. */
  sealed interface Tripped extends BreakerState {

    /** The state after a success. */
    BreakerState afterSuccess(CircuitBreakerConfig config, long now);

    /** The state after a failure. */
    Open afterFailure(CircuitBreakerConfig config, long now);
  }

  /** Refuses every call until the cooldown, counted from {@code since}, has elapsed. */
  record Open(long since, long consecutiveFailures) implements Tripped {

    @Override
    public CircuitState label(CircuitBreakerConfig config, long now) {
      return CircuitState.OPEN; // however long ago the cooldown elapsed (BRK-7)
    }

    @Override
    public boolean admits(CircuitBreakerConfig config, long now) {
      return now - since >= config.recoveryNanos(); // BRK-6, BRK-7
    }

    @Override
    public Optional<Duration> retryAfter(CircuitBreakerConfig config, long now) {
      return admits(config, now)
          ? Optional.of(Duration.ZERO)
          : Optional.of(Duration.ofNanos(Nanos.saturatedSum(config.recoveryNanos(), since - now)));
    }

    @Override
    public BreakerState afterSuccess(CircuitBreakerConfig config, long now) {
      return this; // STALE-1
    }

    @Override
    public Open afterFailure(CircuitBreakerConfig config, long now) {
      return new Open(later(since, now), consecutiveFailures + 1); // STALE-2, STALE-5
    }
  }

  /**
   * Waits for the one probe, granted at {@code since}. Once its lease has run out every answer is
   * that of a breaker open since the lease's end: nobody need notice the expiry for it to count
   * (LEASE-1).
   */
  record HalfOpen(long since, long consecutiveFailures) implements Tripped {

    @Override
    public CircuitState label(CircuitBreakerConfig config, long now) {
      return isLive(config, now) ? CircuitState.HALF_OPEN : expired(config).label(config, now);
    }

    @Override
    public boolean admits(CircuitBreakerConfig config, long now) {
      return !isLive(config, now) && expired(config).admits(config, now); // BRK-8, LEASE-2
    }

    @Override
    public Optional<Duration> retryAfter(CircuitBreakerConfig config, long now) {
      if (!config.leasesProbes()) {
        return Optional.empty();
      }
      if (!isLive(config, now)) {
        return expired(config).retryAfter(config, now);
      }
      long leaseLeft = Nanos.saturatedSum(config.probeTimeoutNanos(), since - now);
      return Optional.of(Duration.ofNanos(Nanos.saturatedSum(leaseLeft, config.recoveryNanos())));
    }

    @Override
    public BreakerState afterSuccess(CircuitBreakerConfig config, long now) {
      return isLive(config, now)
          ? new Closed() // BRK-9
          : expired(config); // STALE-1, STALE-3
    }

    @Override
    public Open afterFailure(CircuitBreakerConfig config, long now) {
      // Whether the probe is live or not: no failure after the lease's end is earlier than that
      // end.
      return new Open(later(since, now), consecutiveFailures + 1); // BRK-10, STALE-4
    }

    private boolean isLive(CircuitBreakerConfig config, long now) {
      return !config.leasesProbes() || now - since < config.probeTimeoutNanos();
    }

    private Open expired(CircuitBreakerConfig config) {
      return new Open(since + config.probeTimeoutNanos(), consecutiveFailures);
    }
  }

  /** The later of the two. It is {@code now}, unless the clock has stepped back (STALE-5). */
  private static long later(long time, long now) {
    return now - time > 0 ? now : time;
  }
}

package dev.toolhealth;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of one tool: the operations of {@link ToolHealthRegistry} without the look-up by name.
 * Get it once from {@link ToolHealthRegistry#tool} and keep it; both ways lead to the same counters
 * and the same circuit breaker.
 *
 * <p>Safe for use by any number of threads. Nothing here ever blocks (REG-6, CONC-3). While the
 * breaker is closed neither the gate nor an outcome reads the clock, but for the failure that trips
 * it. Neither allocates, but for the outcome that finds the counters full: one in thousands, or one
 * for every seventeen seconds of calls that take so long.
 */
public final class ToolHealth extends ToolCircuitBreaker {
  private final ToolStats stats;

  ToolHealth(
      String name,
      CircuitBreakerConfig config,
      LongSupplier clock,
      Listeners listeners,
      ToolStats stats) {
    super(name, config, clock, listeners);
    this.stats = stats;
  }

  /**
   * Says which tool this is.
   *
   * @return the name that it was asked for by
   */
  public String name() {
    return name;
  }

  /**
   * The gate: asks whether the next call may go out, and goes with it if it is the probe. Whoever
   * gets true makes the call and records its outcome; whoever gets false leaves the call be.
   *
   * @return whether to make the call (BRK-1, BRK-6 to BRK-8, LEASE-2)
   */
  @Override
  public boolean allowRequest() {
    if (super.allowRequest()) {
      return true;
    }
    JfrEvents.refused(name);
    return false;
  }

  /**
   * The gate, with a permit that ties the call's result to this answer. So a result that arrives
   * late is never taken for another call's, and a call that is given up is known to be:
   *
   * <pre>{@code
   * try (Permit permit = search.tryAcquire()) {
   *   if (!permit.isGranted()) {
   *     return "search is unavailable";
   *   }
   *   long start = System.nanoTime();
   *   try {
   *     String answer = search(query);
   *     permit.success(System.nanoTime() - start);
   *     return answer;
   *   } catch (IOException e) {
   *     permit.failure(System.nanoTime() - start); // else closing would cancel the permit
   *     return "search failed: " + e.getMessage();
   *   }
   * }
   * }</pre>
   *
   * @return a permit, granted just when {@link #allowRequest} would answer true (PERMIT-1)
   */
  public Permit tryAcquire() {
    for (; ; ) {
      BreakerState admission = admit(true);
      if (admission != null) {
        return Permit.granted(this, admission);
      }
      // A second look, and the refusal is of that instant: what the permit says agrees with it.
      Optional<Duration> retryAfter = view().retryAfter();
      if (!retryAfter.equals(Permit.AT_ONCE)) {
        JfrEvents.refused(name);
        return Permit.refused(this, retryAfter);
      }
    }
  }

  /**
   * The oracle: says what {@link #allowRequest} would answer at this instant, and changes nothing.
   *
   * @return whether a call would be let through now (ORACLE-1, ORACLE-2)
   */
  @Override
  public boolean isAvailable() {
    return super.isAvailable();
  }

  /**
   * Records that a call succeeded.
   *
   * @param duration how long it took; a negative one counts as zero, one beyond 2<sup>63</sup> - 1
   *     nanoseconds as that (STAT-6)
   */
  public void recordSuccess(Duration duration) {
    recordSuccess(Nanos.saturated(duration, "duration"));
  }

  /**
   * Records that a call succeeded.
   *
   * @param nanos how many nanoseconds it took; a negative number counts as zero (STAT-6)
   */
  public void recordSuccess(long nanos) {
    recordSuccess(nanos, null);
  }

  void recordSuccess(long nanos, @Nullable BreakerState admission) {
    // Counters before breaker: whoever sees a transition can see the outcomes that led to it.
    stats.recordSuccess(nanos);
    heedSuccess(admission);
  }

  /**
   * Records that a call failed.
   *
   * @param duration how long it took; a negative one counts as zero, one beyond 2<sup>63</sup> - 1
   *     nanoseconds as that (STAT-6)
   */
  public void recordFailure(Duration duration) {
    recordFailure(Nanos.saturated(duration, "duration"));
  }

  /**
   * Records that a call failed.
   *
   * @param nanos how many nanoseconds it took; a negative number counts as zero (STAT-6)
   */
  public void recordFailure(long nanos) {
    recordFailure(nanos, null);
  }

  void recordFailure(long nanos, @Nullable BreakerState admission) {
    stats.recordFailure(nanos);
    heedFailure(admission);
  }

  /**
   * Says how the tool has been doing.
   *
   * @return the status (SCORE-4, SCORE-5)
   */
  public HealthStatus healthStatus() {
    return snapshot().status();
  }

  /**
   * Takes stock of everything that is known of the tool, and changes nothing (ORACLE-2).
   *
   * @return the figures; those of the breaker belong to one instant
   */
  public ToolSnapshot snapshot() {
    // Breaker before counters, the reverse of the writers' order.
    View view = view();
    // The sum before the counts, and they before the maximum: all that is in an earlier one is in a
    // later one, so the average is never longer than the longest call.
    long durationSum = stats.durationSum();
    return new ToolSnapshot(
        name,
        stats.successes(),
        stats.failures(),
        Duration.ofNanos(durationSum),
        Duration.ofNanos(stats.maxDuration()),
        stats.ewma(),
        view.state().label(),
        view.state().consecutiveFailures(),
        view.retryAfter());
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}

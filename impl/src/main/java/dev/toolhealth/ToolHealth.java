package dev.toolhealth;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A handle on one tool, with the tool's statistics and circuit breaker. Offers the operations of
 * {@link ToolHealthRegistry} without the look-up by name. Get a handle once from {@link
 * ToolHealthRegistry#tool} and keep it. Calls by handle and calls by name reach the same counters
 * and the same breaker.
 *
 * <p>Safe for use by multiple threads. No method ever blocks (REG-6, CONC-3). While the breaker is
 * closed, neither the gate nor an outcome reads the clock, except for the failure that trips the
 * breaker. Neither allocates, except for an outcome that finds the counters full: one in thousands,
 * or one for every seventeen seconds of call time.
 */
public final class ToolHealth extends ToolCircuitBreaker {
  private final ToolStats stats;

  /** True if this tool takes one of the registry's bounded places (REG-7). See the registry. */
  boolean takesPlace;

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
   * Returns the tool's name.
   *
   * @return the name in the registry
   */
  public String name() {
    return name;
  }

  /**
   * Asks the gate for one call. If the call is admitted, make the call and record its outcome.
   * Otherwise do not make the call. After the cooldown, the gate grants the probe to exactly one
   * caller.
   *
   * @return true if the call is admitted (BRK-1, BRK-6 to BRK-8, LEASE-2)
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
   * Asks the gate for one call, and returns a permit that ties the call's result to the gate's
   * answer. A late result is then never taken for the result of another call, and an abandoned call
   * can be cancelled:
   *
   * <pre>{@code
   * try (Permit permit = search.tryAcquire()) {
   *   if (!permit.isGranted()) {
   *     return "search is unavailable";
   *   }
   *   long start = System.nanoTime();
   *   try {
   *     String answer = search(query);
   *     permit.successNanos(System.nanoTime() - start);
   *     return answer;
   *   } catch (IOException e) {
   *     permit.failureNanos(System.nanoTime() - start); // otherwise close() cancels the permit
   *     return "search failed: " + e.getMessage();
   *   }
   * }
   * }</pre>
   *
   * @return a permit, which is granted if and only if {@link #allowRequest} would return true
   *     (PERMIT-1)
   */
  public Permit tryAcquire() {
    for (; ; ) {
      BreakerState admission = admit(true);
      if (admission != null) {
        return Permit.granted(this, admission);
      }
      // A second look. If the cooldown has just elapsed, the gate is asked again. A refused permit
      // therefore never says "try again at once".
      View view = view();
      if (!view.admits()) {
        JfrEvents.refused(name);
        return Permit.refused(name, view.retryAfter());
      }
    }
  }

  /**
   * Returns whether {@link #allowRequest} would return true now, without changing anything.
   *
   * @return true if a call would be admitted now (ORACLE-1, ORACLE-2)
   */
  @Override
  public boolean isAvailable() {
    return super.isAvailable();
  }

  /**
   * Records a successful call.
   *
   * @param duration how long the call took; a negative duration counts as zero, and a long one as
   *     2<sup>63</sup> - 1 nanoseconds at most (STAT-6)
   */
  public void recordSuccess(Duration duration) {
    recordSuccessNanos(Nanos.saturated(duration, "duration"));
  }

  /**
   * Records a successful call.
   *
   * @param durationNanos how long the call took, in nanoseconds; a negative number counts as zero
   *     (STAT-6)
   */
  public void recordSuccessNanos(long durationNanos) {
    recordSuccess(durationNanos, null);
  }

  void recordSuccess(long durationNanos, @Nullable BreakerState admission) {
    // Statistics before breaker: a thread that sees a transition also sees the outcomes behind the
    // transition.
    stats.recordSuccess(durationNanos);
    applySuccess(admission);
  }

  /**
   * Records a failed call.
   *
   * @param duration how long the call took; a negative duration counts as zero, and a long one as
   *     2<sup>63</sup> - 1 nanoseconds at most (STAT-6)
   */
  public void recordFailure(Duration duration) {
    recordFailureNanos(Nanos.saturated(duration, "duration"));
  }

  /**
   * Records a failed call.
   *
   * @param durationNanos how long the call took, in nanoseconds; a negative number counts as zero
   *     (STAT-6)
   */
  public void recordFailureNanos(long durationNanos) {
    recordFailure(durationNanos, null);
  }

  void recordFailure(long durationNanos, @Nullable BreakerState admission) {
    stats.recordFailure(durationNanos);
    applyFailure(admission);
  }

  /**
   * Returns the tool's status.
   *
   * @return the status (SCORE-4, SCORE-5)
   */
  public HealthStatus healthStatus() {
    return snapshot().status();
  }

  /**
   * Returns the tool's statistics and the state of its breaker, without changing anything
   * (ORACLE-2).
   *
   * @return the figures; the breaker's figures belong to one instant
   */
  public ToolSnapshot snapshot() {
    // Breaker before statistics, the reverse of the writers' order.
    View view = view();
    // Sum before counts before maximum. The later figures include at least the outcomes of the
    // earlier figures, so the average never exceeds the maximum.
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

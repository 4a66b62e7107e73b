package dev.toolhealth;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The health of one tool: the operations of {@link ToolHealthRegistry} without the look-up by name.
 * Get it once from {@link ToolHealthRegistry#tool} and keep it; both ways lead to the same counters
 * and the same circuit breaker.
 *
 * <p>Safe for use by any number of threads. Nothing here ever blocks (REG-6, CONC-3). While the
 * breaker is closed neither the gate nor an outcome reads the clock, but for the failure that trips
 * it. Neither allocates, but for the outcome that finds the counters full: one in thousands, or one
 * for every eight seconds of calls that take so long.
 */
public final class ToolHealth extends ToolCircuitBreaker {
  private final String name;
  private final ToolStats stats = new ToolStats();

  ToolHealth(String name, CircuitBreakerConfig config, LongSupplier clock) {
    super(config, clock);
    this.name = name;
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
    return super.allowRequest();
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
    // Counters before breaker: whoever sees a transition can see the outcomes that led to it.
    stats.recordSuccess(nanos);
    recordSuccess();
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
    stats.recordFailure(nanos);
    recordFailure();
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
    return new ToolSnapshot(
        name,
        stats.successes(),
        stats.failures(),
        Duration.ofNanos(stats.durationSum()),
        Duration.ofNanos(stats.maxDuration()),
        stats.ewma(),
        view.circuitState(),
        view.consecutiveFailures(),
        view.retryAfter());
  }

  @Override
  public String toString() {
    return snapshot().toString();
  }
}

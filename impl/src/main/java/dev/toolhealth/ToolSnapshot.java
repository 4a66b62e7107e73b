package dev.toolhealth;

import java.time.Duration;
import java.util.Optional;

/**
 * The figures of one tool at one moment. Immutable.
 *
 * <p>The breaker's three figures belong to one instant. The counters are read one after the other
 * just afterwards. While other threads record outcomes, each counter is exact for some instant
 * during the read (CONC-2), but two counters may differ by the latest outcomes. The average never
 * exceeds the maximum. The methods of this class derive their answers from the figures alone, so
 * all answers agree: for example, a tool with an open breaker is always unhealthy.
 *
 * @param tool the tool's name
 * @param successes the number of successful calls (STAT-1)
 * @param failures the number of failed calls (STAT-1)
 * @param totalDuration the duration of all calls together, at most 2<sup>63</sup> - 1 nanoseconds
 *     (STAT-3)
 * @param maxDuration the duration of the longest call (STAT-5)
 * @param ewma the exponentially weighted moving average of success, 0 to 1 000 000 (SCORE-1,
 *     SCORE-2)
 * @param circuitState the state of the breaker; an expired probe shows as {@link CircuitState#OPEN}
 *     (LEASE-5)
 * @param consecutiveFailures the failures since the last success that the breaker did not ignore
 *     (BRK-2)
 * @param retryAfter the time after which the next call can be admitted at the latest, if nothing
 *     else happens; zero if a call would be admitted now, empty while a probe without a lease is
 *     running (LEASE-4)
 */
public record ToolSnapshot(
    String tool,
    long successes,
    long failures,
    Duration totalDuration,
    Duration maxDuration,
    int ewma,
    CircuitState circuitState,
    long consecutiveFailures,
    Optional<Duration> retryAfter) {

  /**
   * Returns the number of all outcomes (STAT-1).
   *
   * @return the sum of successes and failures
   */
  public long total() {
    return successes + failures;
  }

  /**
   * Returns the share of calls that succeeded (STAT-2).
   *
   * @return 0 to 1; 1 without outcomes
   */
  public double successRate() {
    return Score.rate(successes, total());
  }

  /**
   * Returns the average duration of a call (STAT-4).
   *
   * @return the mean, rounded down to whole nanoseconds; zero without outcomes
   */
  public Duration averageDuration() {
    return total() == 0 ? Duration.ZERO : Duration.ofNanos(totalDuration.toNanos() / total());
  }

  /**
   * Returns the tool's score, which weighs its whole history against the recent past (SCORE-3).
   *
   * @return 0 to 1, with the rounding of floating-point numbers; {@link #status} is computed
   *     exactly instead
   */
  public double score() {
    return Score.of(successes, total(), ewma);
  }

  /**
   * Returns the tool's status (SCORE-4, SCORE-5).
   *
   * @return the status, exact at its bounds
   */
  public HealthStatus status() {
    return Score.status(successes, total(), ewma, circuitState);
  }
}

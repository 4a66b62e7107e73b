package dev.toolhealth;

import java.time.Duration;
import java.util.Optional;

/**
 * What was known of one tool when somebody looked. Immutable.
 *
 * <p>The breaker's three figures belong to one instant. The counters are read one after the other
 * just after it: while others write, each is exact for some instant during the look (CONC-2), but
 * an outcome may be in one of them and not yet in another. The average is never longer than the
 * longest call. All that is derived here is derived from these figures alone, so it never
 * contradicts them: an open breaker never has a tool that is not unhealthy.
 *
 * @param tool the tool's name
 * @param successes how many calls succeeded (STAT-1)
 * @param failures how many calls failed (STAT-1)
 * @param totalDuration how long all calls took together, at most 2<sup>63</sup> - 1 nanoseconds
 *     (STAT-3)
 * @param maxDuration how long the longest call took (STAT-5)
 * @param ewma the moving average of success, 0 to 1 000 000 (SCORE-1, SCORE-2)
 * @param circuitState what the breaker is doing; an expired probe shows as {@link
 *     CircuitState#OPEN} (LEASE-5)
 * @param consecutiveFailures how many failures have come since the last success that the breaker
 *     heeded (BRK-2)
 * @param retryAfter how long it takes at the latest until a call can be let through, if no outcome
 *     and no other caller comes in between; zero if one would be now, empty while a probe without a
 *     lease is out (LEASE-4)
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
   * Counts all outcomes (STAT-1).
   *
   * @return the sum of successes and failures
   */
  public long total() {
    return successes + failures;
  }

  /**
   * Says what part of the calls succeeded (STAT-2).
   *
   * @return 0 to 1; 1 if there were none
   */
  public double successRate() {
    return Score.rate(successes, total());
  }

  /**
   * Says how long a call took on average (STAT-4).
   *
   * @return the mean, rounded down to whole nanoseconds; zero if there were none
   */
  public Duration averageDuration() {
    return total() == 0 ? Duration.ZERO : Duration.ofNanos(totalDuration.toNanos() / total());
  }

  /**
   * Weighs the record of all time against the recent past (SCORE-3).
   *
   * @return 0 to 1, for people to read; {@link #status} is not computed from it
   */
  public double score() {
    return Score.of(successes, total(), ewma);
  }

  /**
   * Says how the tool has been doing (SCORE-4, SCORE-5).
   *
   * @return the status, exact at its bounds
   */
  public HealthStatus status() {
    return Score.status(successes, total(), ewma, circuitState);
  }
}

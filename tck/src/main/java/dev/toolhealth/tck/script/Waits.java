package dev.toolhealth.tck.script;

import java.time.Duration;

/**
 * The waiting times of the kit for a subject on the real clock. A correct subject passes with any
 * settings. With larger settings, fewer rounds are void on a slow or busy machine, but the checks
 * take longer.
 *
 * @param multiplier the factor for all times, including the durations in a subject's configuration
 * @param patience the time that a due event may take to happen. A subject that decides at each call
 *     needs no patience. A subject with a timer needs as much patience as the timer is late. The
 *     kit does not notice a delay shorter than the patience.
 * @param slack the tolerance for early events: an event counts as too early only if the event came
 *     more than the slack before its due time. Must not be shorter than the tick of the subject's
 *     clock.
 */
public record Waits(double multiplier, Duration patience, Duration slack) {
  /** 2 seconds of patience; 20 ms of slack, because the ticks of some clocks take up to 16 ms. */
  public static final Waits DEFAULT = new Waits(1, Duration.ofSeconds(2), Duration.ofMillis(20));

  /**
   * Creates settings.
   *
   * @param multiplier the factor for all times
   * @param patience the time that a due event may take to happen
   * @param slack the tolerance for early events
   * @throws IllegalArgumentException if the multiplier or the patience is not positive, or the
   *     slack is negative
   */
  public Waits {
    if (!(multiplier > 0) || Double.isInfinite(multiplier)) {
      throw new IllegalArgumentException(
          "the wait multiplier is " + multiplier + ": it must be a number above 0");
    }
    if (patience.isNegative() || patience.isZero()) {
      throw new IllegalArgumentException(
          "the patience is " + patience.toMillis() + " ms: it must be above 0");
    }
    if (slack.isNegative()) {
      throw new IllegalArgumentException(
          "the slack is " + slack.toMillis() + " ms: it must not be negative");
    }
  }

  /**
   * Returns settings with another multiplier.
   *
   * @param multiplier the factor, 1 for none
   * @return the new settings
   */
  public Waits withMultiplier(double multiplier) {
    return new Waits(multiplier, patience, slack);
  }

  /**
   * Returns settings with another patience.
   *
   * @param patience the time, before it is multiplied
   * @return the new settings
   */
  public Waits withPatience(Duration patience) {
    return new Waits(multiplier, patience, slack);
  }

  /**
   * Returns settings with another slack.
   *
   * @param slack the time, before it is multiplied
   * @return the new settings
   */
  public Waits withSlack(Duration slack) {
    return new Waits(multiplier, patience, slack);
  }

  long patienceNanos() {
    return scaled(patience);
  }

  long slackNanos() {
    return scaled(slack);
  }

  /**
   * Returns the shortest duration in a subject's configuration. Nine units are longer than the
   * patience, so the kit notices an event that takes ten times as long as it should. Half a unit is
   * longer than the slack, so there is time to look before an event may happen.
   */
  long unitNanos() {
    return Math.max(patienceNanos() / 8, 8 * slackNanos());
  }

  private long scaled(Duration duration) {
    return (long) (multiplier * duration.toNanos());
  }
}

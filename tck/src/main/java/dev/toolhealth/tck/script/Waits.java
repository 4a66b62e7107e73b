package dev.toolhealth.tck.script;

import java.time.Duration;

/**
 * How long the kit waits where only the real clock is left. A correct subject passes with any
 * settings; larger ones judge more on a machine that is slow or busy, and take longer.
 *
 * @param multiplier scales all of it, the durations that subjects are configured with included
 * @param patience what must happen has so long to happen once it is due. A subject that decides
 *     when it is asked needs none of it; one that goes by a timer needs as much as the timer is
 *     late. What is late by less is not seen.
 * @param slack what must not happen yet is held against the subject only if it has happened so long
 *     before it can be due. Not less than the tick of the subject's clock.
 */
public record Waits(double multiplier, Duration patience, Duration slack) {
  /** 2 seconds to happen; 20 milliseconds for clocks, whose ticks are known to take up to 16. */
  public static final Waits DEFAULT = new Waits(1, Duration.ofSeconds(2), Duration.ofMillis(20));

  /**
   * Creates settings.
   *
   * @param multiplier scales all of it
   * @param patience how long what must happen may take once it is due
   * @param slack how long before it is due it must not happen
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
   * Scales all waits.
   *
   * @param multiplier the factor, 1 for none
   * @return these settings with that multiplier
   */
  public Waits withMultiplier(double multiplier) {
    return new Waits(multiplier, patience, slack);
  }

  /**
   * Sets how long what must happen may take once it is due.
   *
   * @param patience the time, before it is multiplied
   * @return these settings with that patience
   */
  public Waits withPatience(Duration patience) {
    return new Waits(multiplier, patience, slack);
  }

  /**
   * Sets how long before it is due something must not happen.
   *
   * @param slack the time, before it is multiplied
   * @return these settings with that slack
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
   * The shortest duration that a subject is configured with. Nine of them are more than the
   * patience, so that what takes ten times as long as it should is seen, and half of one leaves
   * time to look when the slack is taken off.
   */
  long unitNanos() {
    return Math.max(patienceNanos() / 8, 8 * slackNanos());
  }

  private long scaled(Duration duration) {
    return (long) (multiplier * duration.toNanos());
  }
}

package dev.toolhealth.tck.script;

import java.util.function.LongSupplier;

/** A clock that stands still until it is set. It may be read by any number of threads. */
public final class ManualClock implements LongSupplier {
  private final long start;
  private volatile long now;

  /**
   * Creates a clock.
   *
   * @param start what it shows at first
   */
  public ManualClock(long start) {
    this.start = start;
    this.now = start;
  }

  /**
   * Sets the clock, forwards or back. What it shows may pass the largest {@code long}.
   *
   * @param elapsed the nanoseconds since its start
   */
  public void setElapsed(long elapsed) {
    now = start + elapsed;
  }

  @Override
  public long getAsLong() {
    return now;
  }
}

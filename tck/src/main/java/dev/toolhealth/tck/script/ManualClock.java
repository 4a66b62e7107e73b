package dev.toolhealth.tck.script;

import java.util.function.LongSupplier;

/**
 * A clock that moves only when somebody sets the time. Any number of threads may read the clock.
 */
public final class ManualClock implements LongSupplier {
  private final long start;
  private volatile long now;

  /**
   * Creates a clock.
   *
   * @param start the first reading
   */
  public ManualClock(long start) {
    this.start = start;
    this.now = start;
  }

  /**
   * Sets the clock, forwards or back. The reading may wrap around {@link Long#MAX_VALUE}.
   *
   * @param elapsed the nanoseconds since the clock's start
   */
  public void setElapsed(long elapsed) {
    now = start + elapsed;
  }

  @Override
  public long getAsLong() {
    return now;
  }
}

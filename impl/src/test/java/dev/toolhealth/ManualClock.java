package dev.toolhealth;

import java.util.function.LongSupplier;

/** A clock that shows the time that it was last set to. */
public final class ManualClock implements LongSupplier {
  private long now;

  public void set(long now) {
    this.now = now;
  }

  @Override
  public long getAsLong() {
    return now;
  }
}

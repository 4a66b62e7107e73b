package dev.toolhealth;

import java.util.function.LongSupplier;

/** A clock that shows what it was last set to. */
final class ManualClock implements LongSupplier {
  private long now;

  void set(long now) {
    this.now = now;
  }

  @Override
  public long getAsLong() {
    return now;
  }
}

package dev.toolhealth;

import java.util.function.LongSupplier;

/** A clock that stands still until it is set. */
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

package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Adapts an implementation with cooldowns and leases that end 100 ms late, as timers may. */
public final class LateAdapter extends LockingAdapter {
  private static final long LATE = TimeUnit.MILLISECONDS.toNanos(100);

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return new LockingRegistry(config, nanoClock) {
      @Override
      LockingTool newTool() {
        return new LockingTool(config, clock) {
          @Override
          boolean cooldownElapsed(long now) {
            return now - LATE - cooldownStartAt(now) >= config.recoveryNanos();
          }

          @Override
          boolean leaseElapsed(long now) {
            return super.leaseElapsed(now - LATE);
          }
        };
      }
    };
  }
}

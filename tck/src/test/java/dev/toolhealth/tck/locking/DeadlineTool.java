package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Config;
import java.util.function.LongSupplier;

/** A tool that stores the ends of cooldown and lease instead of their starts. */
class DeadlineTool extends LockingTool {
  /** Meaningful only while OPEN. */
  long cooldownEnd;

  /** Meaningful only while HALF_OPEN. */
  long leaseEnd;

  DeadlineTool(Config config, LongSupplier clock) {
    super(config, clock);
  }

  @Override
  boolean leaseElapsed(long now) {
    return now - leaseEnd >= 0;
  }

  @Override
  long leaseEnd() {
    return leaseEnd;
  }

  @Override
  boolean cooldownElapsed(long now) {
    return now - (leaseExpired(now) ? leaseEnd + config.recoveryNanos() : cooldownEnd) >= 0;
  }

  @Override
  void grantProbe(long now) {
    super.grantProbe(now);
    leaseEnd = now + config.probeTimeoutNanos();
  }

  @Override
  void open(long since) {
    super.open(since);
    cooldownEnd = since + config.recoveryNanos();
  }

  @Override
  void restartCooldown(long now) {
    super.restartCooldown(now);
    cooldownEnd = cooldownStart + config.recoveryNanos();
  }
}

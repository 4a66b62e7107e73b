package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Rule;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Shows the kit's nanoseconds to an adapter as milliseconds, and the recovery duration as one less:
 * for a library that counts in milliseconds, and for which a wait has elapsed a tick later.
 */
record Ticks(Adapter adapter) implements Adapter {
  private static final long TICK = 1_000_000;

  /** The rules whose checks have times that are too large for it. */
  static final Set<Rule> TOO_LARGE = Set.of(Rule.BRK_7, Rule.BAD_1, Rule.BAD_2);

  @Override
  public Set<Capability> capabilities() {
    return adapter.capabilities();
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return adapter.create(
        new Config(
            config.failureThreshold(),
            ticks(Math.max(0, config.recoveryNanos() - 1)),
            ticks(config.probeTimeoutNanos())),
        () -> nanoClock.getAsLong() * TICK);
  }

  private static long ticks(long number) {
    return number > Long.MAX_VALUE / TICK ? Long.MAX_VALUE : number * TICK;
  }
}

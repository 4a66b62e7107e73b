package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Rule;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * An adapter that turns the kit's nanoseconds into milliseconds and shortens the recovery duration
 * by one, for a library that counts in milliseconds and ends a wait a tick late.
 */
record Ticks(Adapter adapter) implements Adapter {
  private static final long TICK = 1_000_000;

  /** The rules whose tests use times that are too large for the conversion. */
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

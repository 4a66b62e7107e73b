package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The adapters' common part. Nothing in this class is specific to a library. */
abstract class PeerAdapter implements Adapter {
  @Override
  public final Subject create(Config config, LongSupplier nanoClock) {
    refuseNegative("failureThreshold", config.failureThreshold());
    refuseNegative("recoveryNanos", config.recoveryNanos());
    refuseNegative("probeTimeoutNanos", config.probeTimeoutNanos());
    return new Breakers(factory(config, nanoClock));
  }

  /** Translates a configuration into a factory of breakers by name. */
  abstract Function<String, Breaker> factory(Config config, LongSupplier nanoClock);

  private static void refuseNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " must not be negative, but was " + value);
    }
  }
}

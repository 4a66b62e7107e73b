package dev.toolhealth.tck;

import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The entry point to an implementation: the class to write for your library. The kit, the races and
 * the benchmarks all load an adapter by class name.
 *
 * <p>The class must be public and have a public constructor without parameters. Keep the adapter
 * thin. If the adapter compensates for a gap in the library, the verdict is wrong.
 *
 * <p>The kit calls an adapter from one thread at a time. Its subjects must be thread-safe.
 */
public interface Adapter {

  /**
   * Returns what the implementation offers beyond the core, which is {@link Subject#allowRequest},
   * {@link Subject#recordSuccess} and {@link Subject#recordFailure}. A rule that needs an
   * undeclared capability is reported as not applicable. A declared capability whose rule is broken
   * is reported as failed.
   *
   * @return the capabilities, the same in every call; empty if there are none
   */
  Set<Capability> capabilities();

  /**
   * Creates a registry without tools. The kit creates many registries, and they must not share any
   * state (REG-1).
   *
   * @param config the configuration of the breakers; the kit also passes negative values, which
   *     must be refused
   * @param nanoClock the only clock that the registry may read: monotonic nanoseconds from an
   *     arbitrary origin, so a reading may be negative and may wrap (BAD-2). Any thread may read
   *     it. Without {@link Capability#MANUAL_CLOCK} the registry may ignore this clock
   * @return a new registry
   * @throws IllegalArgumentException if a value in {@code config} is negative; the message names
   *     the field and the value (BAD-1)
   */
  Subject create(Config config, LongSupplier nanoClock);
}

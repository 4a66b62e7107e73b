package dev.toolhealth.tck;

import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What an implementation shows to the kit: the one class that its author writes. The kit certifies
 * it, the races race it, and the benchmarks time it, each by the name of this class.
 *
 * <p>The class is public and has a public constructor without parameters. Keep it thin: the kit
 * judges the implementation, and an adapter that makes up for what is missing there misleads
 * whoever reads the verdict.
 */
public interface Adapter {

  /**
   * Declares what the implementation offers beyond the core, which is {@link Subject#allowRequest},
   * {@link Subject#recordSuccess} and {@link Subject#recordFailure}. A rule that needs something
   * not declared here is reported as not applicable; one that is declared and not kept, as failed.
   *
   * @return the capabilities, the same at every call
   */
  Set<Capability> capabilities();

  /**
   * Creates a registry without tools. The kit asks for many, and each is independent of the others.
   *
   * @param config the configuration of the breakers
   * @param nanoClock the only clock to look at, monotonic, in nanoseconds, of any origin; without
   *     {@link Capability#MANUAL_CLOCK} it may be ignored
   * @return the registry
   * @throws IllegalArgumentException if a number in {@code config} is negative; the message names
   *     the field and the value (BAD-1)
   */
  Subject create(Config config, LongSupplier nanoClock);
}

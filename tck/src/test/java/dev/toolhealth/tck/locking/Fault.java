package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Rule;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * A faulty implementation: the locking implementation with one deliberate fault.
 *
 * @param rule the rule whose checks must catch the fault
 * @param description a unique sentence about what the implementation does wrong
 * @param adapter the adapter of the faulty implementation
 * @param alsoRight other rules that the fault breaks; a report may list them first, because their
 *     scripts also lead a reader to the fault
 * @param onlyInRaces true if only concurrent callers can catch the fault
 */
public record Fault(
    Rule rule, String description, Adapter adapter, Set<Rule> alsoRight, boolean onlyInRaces) {

  private Fault(Rule rule, String description, Adapter adapter) {
    this(rule, description, adapter, Set.of(), false);
  }

  /** Returns a copy with other rules that a report may list first. */
  Fault orUnder(Rule... rules) {
    return new Fault(rule, description, adapter, Set.of(rules), onlyInRaces);
  }

  /** Returns a copy that only concurrent callers can catch. */
  Fault inRacesOnly() {
    return new Fault(rule, description, adapter, alsoRight, true);
  }

  /** Creates a faulty implementation from a faulty registry. */
  static Fault inRegistry(
      Rule rule, String description, BiFunction<Config, LongSupplier, Subject> registry) {
    return new Fault(
        rule,
        description,
        new LockingAdapter() {
          @Override
          public Subject create(Config config, LongSupplier nanoClock) {
            return registry.apply(config, nanoClock);
          }
        });
  }

  /** Creates a faulty implementation from a faulty tool. */
  static Fault inTool(
      Rule rule, String description, BiFunction<Config, LongSupplier, LockingTool> tool) {
    return inRegistry(
        rule,
        description,
        (initial, clock) ->
            new LockingRegistry(initial, clock) {
              @Override
              LockingTool newTool() {
                return tool.apply(config, clock);
              }
            });
  }

  /** Creates a faulty implementation with permits from a faulty tool. */
  static Fault inPermits(
      Rule rule, String description, BiFunction<Config, LongSupplier, PermitTool> tool) {
    return new Fault(rule, description, new PermitAdapter(tool));
  }

  /** Creates an implementation with one fault: a false claim to be lock-free. */
  static Fault inClaims(Rule rule, String description) {
    return new Fault(
        rule,
        description,
        new LockingAdapter() {
          @Override
          public Set<Capability> capabilities() {
            return EnumSet.complementOf(EnumSet.of(Capability.PERMITS));
          }
        });
  }

  @Override
  public String toString() {
    return rule + ": " + description;
  }
}

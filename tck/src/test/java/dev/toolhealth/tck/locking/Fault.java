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
 * A deliberate fault in the locking implementation.
 *
 * @param rule the rule that must catch it
 * @param description what is wrong
 * @param adapter the faulty subject's adapter
 * @param alsoRight rules that a report may name first as well: they are broken too, and whoever
 *     looks there finds the fault
 */
public record Fault(Rule rule, String description, Adapter adapter, Set<Rule> alsoRight) {

  private Fault(Rule rule, String description, Adapter adapter) {
    this(rule, description, adapter, Set.of());
  }

  /** The same, which a report may well file under these rules first. */
  Fault orUnder(Rule... rules) {
    return new Fault(rule, description, adapter, Set.of(rules));
  }

  /** A fault of the registry. */
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

  /** A fault of each tool by itself. */
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

  /** A fault of a tool with permits. */
  static Fault inPermits(
      Rule rule, String description, BiFunction<Config, LongSupplier, PermitTool> tool) {
    return new Fault(rule, description, new PermitAdapter(tool));
  }

  /** A fault of the declaration: freedom from locks is claimed as well. */
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

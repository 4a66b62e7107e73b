package dev.toolhealth;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Options and scenarios for Lincheck. */
final class Scenarios {
  private static final int INTERLEAVINGS = 300;

  private Scenarios() {}

  /** Returns options for running only custom scenarios, without generated ones. */
  static ModelCheckingOptions checking() {
    return new ModelCheckingOptions()
        .iterations(0)
        .invocationsPerIteration(INTERLEAVINGS)
        .checkObstructionFreedom(true)
        .addGuarantee(waitingIsNoLoop())
        .minimizeFailedScenario(false);
  }

  /** Returns a scenario: one caller before, several callers at once, one caller after them. */
  static ExecutionScenario of(
      Class<?> operations, List<String> before, List<List<String>> atOnce, List<String> after) {
    return new ExecutionScenario(
        actors(operations, before),
        atOnce.stream().map(names -> actors(operations, names)).toList(),
        actors(operations, after),
        null);
  }

  private static List<Actor> actors(Class<?> operations, List<String> names) {
    return names.stream().map(name -> actor(operations, name)).toList();
  }

  private static Actor actor(Class<?> operations, String name) {
    try {
      // No arguments; the operation does not suspend, block or support cancellation.
      return new Actor(operations.getMethod(name), List.of(), false, false, false, false, false);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("no operation is called " + name, e);
    }
  }

  /**
   * Excludes {@link Backoff}, which looks like a livelock to Lincheck although it waits for no
   * other thread and changes nothing.
   */
  private static ManagedStrategyGuarantee waitingIsNoLoop() {
    return ManagedStrategyGuaranteeKt.forClasses(Backoff.class.getName()).allMethods().ignore();
  }
}

package dev.toolhealth;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** What Lincheck is told. */
final class Scenarios {
  private static final int INTERLEAVINGS = 300;

  private Scenarios() {}

  /** How the scenarios are run that are added to this; Lincheck makes up none. */
  static ModelCheckingOptions checking() {
    return new ModelCheckingOptions()
        .iterations(0)
        .invocationsPerIteration(INTERLEAVINGS)
        .checkObstructionFreedom(true)
        .addGuarantee(waitingIsNoLoop())
        .minimizeFailedScenario(false);
  }

  /** What one caller does before, what some do at once, and what one does after them. */
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
      // No arguments, and nothing that suspends, blocks or is cancelled.
      return new Actor(operations.getMethod(name), List.of(), false, false, false, false, false);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("no operation is called " + name, e);
    }
  }

  /**
   * {@link Backoff} waits for nobody and changes nothing, but looks like a livelock to Lincheck.
   */
  private static ManagedStrategyGuarantee waitingIsNoLoop() {
    return ManagedStrategyGuaranteeKt.forClasses(Backoff.class.getName()).allMethods().ignore();
  }
}

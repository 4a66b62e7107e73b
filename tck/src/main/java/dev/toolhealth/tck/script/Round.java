package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * One attempt at a check on the real clock. If the machine was too slow for it, a later round with
 * durations twice as long may do.
 */
public final class Round {
  private final Adapter adapter;
  private final Rule rule;
  private final Waits waits;
  private final long unit;
  private final List<WallClockScenario> scenarios = new ArrayList<>();

  /**
   * Begins a round.
   *
   * @param adapter the subject's adapter
   * @param rule the rule to file a departure under
   * @param waits how long to wait
   * @param earlier how many rounds came before it
   */
  public Round(Adapter adapter, Rule rule, Waits waits, int earlier) {
    this.adapter = adapter;
    this.rule = rule;
    this.waits = waits;
    this.unit = waits.unitNanos() << earlier;
  }

  /**
   * Gives the shortest duration to configure a subject with.
   *
   * @return the nanoseconds
   */
  public long unit() {
    return unit;
  }

  /**
   * Gives a duration for what must not happen late: if it counts from a wrong instant that is so
   * much later, less a unit, it comes later than the patience allows.
   *
   * @return the nanoseconds
   */
  public long beyondPatience() {
    return waits.patienceNanos() + 2 * unit;
  }

  /**
   * Creates a registry and starts a scenario on it.
   *
   * @param config its configuration
   * @return the scenario
   */
  public WallClockScenario scenario(Config config) {
    WallClockScenario scenario = new WallClockScenario(adapter, rule, config, waits, unit);
    scenarios.add(scenario);
    return scenario;
  }

  /**
   * Says how many answers were as expected so far.
   *
   * @return the number
   */
  public long expectations() {
    return scenarios.stream().mapToLong(WallClockScenario::expectations).sum();
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * One attempt at a check on the real clock. If the machine is too slow for the round, the kit tries
 * another round with durations twice as long.
 */
public final class Round {
  private final Adapter adapter;
  private final Rule rule;
  private final Waits waits;
  private final long unit;
  private final List<WallClockScenario> scenarios = new ArrayList<>();

  /**
   * Creates a round.
   *
   * @param adapter the subject's adapter
   * @param rule the rule that a departure names
   * @param waits the waiting times
   * @param earlier the number of earlier rounds of the same check
   */
  public Round(Adapter adapter, Rule rule, Waits waits, int earlier) {
    this.adapter = adapter;
    this.rule = rule;
    this.waits = waits;
    this.unit = waits.unitNanos() << earlier;
  }

  /**
   * Returns the shortest duration in a subject's configuration.
   *
   * @return the nanoseconds
   */
  public long unit() {
    return unit;
  }

  /**
   * Returns a duration longer than the patience. Some scripts test whether a subject counts from
   * the right instant. In these scripts, the wrong instant is later by this duration less one unit,
   * so a subject that counts from the wrong instant exceeds the patience.
   *
   * @return the nanoseconds
   */
  public long beyondPatience() {
    return waits.patienceNanos() + 2 * unit;
  }

  /**
   * Creates a registry and starts a scenario.
   *
   * @param config the registry's configuration
   * @return the scenario
   */
  public WallClockScenario scenario(Config config) {
    WallClockScenario scenario = new WallClockScenario(adapter, rule, config, waits, unit);
    scenarios.add(scenario);
    return scenario;
  }

  /**
   * Returns the number of answers that were as expected so far.
   *
   * @return the number
   */
  public long expectations() {
    return scenarios.stream().mapToLong(WallClockScenario::expectations).sum();
  }
}

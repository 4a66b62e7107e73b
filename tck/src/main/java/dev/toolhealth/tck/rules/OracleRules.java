package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.ORACLE;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The checks of chapter ORACLE: reads that change nothing. */
final class OracleRules {
  private static final Config CONFIG = new Config(2, 10, 30);

  /**
   * Asks the oracle of one registry and the gate of another with the same past, in each state and
   * at each boundary. On failure, look for a rule that the oracle and the gate implement
   * separately.
   */
  @Check(
      value = Rule.ORACLE_1,
      needs = {ORACLE, MANUAL_CLOCK})
  void answersAsTheGate(Bench bench) {
    both(bench, s -> s, true);
    both(bench, Scenario::failure, true);
    UnaryOperator<Scenario> tripped = s -> s.failures(2);
    both(bench, tripped, false);
    both(bench, s -> tripped.apply(s).at(9), false);
    both(bench, s -> tripped.apply(s).at(10), true);
    both(bench, s -> tripped.apply(s).at(11), true);
    both(bench, s -> tripped.apply(s).at(5).failure().at(14), false);
    both(bench, s -> tripped.apply(s).at(5).failure().at(15), true);
    UnaryOperator<Scenario> probed = s -> tripped.apply(s).at(20).granted();
    both(bench, probed, false);
    both(bench, s -> probed.apply(s).at(49), false);
    both(bench, s -> probed.apply(s).at(50), false);
    both(bench, s -> probed.apply(s).at(59), false);
    both(bench, s -> probed.apply(s).at(60), true);
    both(bench, s -> probed.apply(s).at(61), true);
    both(bench, s -> probed.apply(s).success(), true);
    both(bench, s -> probed.apply(s).failure().at(29), false);
    both(bench, s -> probed.apply(s).failure().at(30), true);
    both(bench, s -> probed.apply(s).at(55).success().at(59), false);
    both(bench, s -> probed.apply(s).at(55).success().at(60), true);
    both(bench, s -> probed.apply(s).at(55).failure().at(64), false);
    both(bench, s -> probed.apply(s).at(55).failure().at(65), true);
    // Time alone changes the answer.
    tripped
        .apply(bench.scenario(CONFIG))
        .available(false)
        .at(9)
        .available(false)
        .at(10)
        .available(true);
  }

  private static void both(Bench bench, UnaryOperator<Scenario> past, boolean expected) {
    past.apply(bench.scenario(CONFIG)).available(expected);
    past.apply(bench.scenario(CONFIG)).allowRequest(expected);
  }

  /**
   * Repeats every read in each state. The answers must stay the same, and later events must be
   * unaffected. On failure, look for a read that stores an expiry or takes the probe.
   */
  @Check(value = Rule.ORACLE_2, needs = MANUAL_CLOCK)
  void readsChangeNothing(Bench bench) {
    Scenario scenario = bench.scenario(CONFIG);
    ask(scenario);
    ask(scenario.failure());
    ask(scenario.failure());
    ask(scenario.at(9)).refused();
    ask(scenario.at(10)).granted(); // the reads have not taken the probe
    ask(scenario).refused();
    ask(scenario.at(39)).refused();
    ask(scenario.at(40)).refused();
    ask(scenario.at(45))
        .refused(); // reads at 40 and 45 saw the expiry, and neither moved the cooldown
    ask(scenario.at(50)).granted();
    ask(scenario.success());
    ask(scenario.failure()).granted();
    ask(scenario.failure()).refused();
    Scenario idle = bench.scenario(CONFIG).granted(); // without an outcome
    ask(idle).toolCount(1);
    // Nobody looked when the lease ran out, at 40.
    ask(bench.scenario(CONFIG).failures(2).at(10).granted().at(45)).at(50).granted();
  }

  private static Scenario ask(Scenario scenario) {
    Map<String, Object> first = scenario.askEverything();
    for (int i = 0; i < 5; i++) {
      scenario.equal("all reads, repeated", first, scenario.askEverything());
    }
    return scenario;
  }

  /**
   * Asks a thousand times while a probe is available. On failure, look for an oracle that takes the
   * probe or creates names.
   */
  @Check(
      value = Rule.ORACLE_2,
      needs = {ORACLE, MANUAL_CLOCK},
      fieldCase = "C05")
  void askingDoesNotChangeTheAnswer(Bench bench) {
    Scenario scenario = bench.scenario().failures(3).at(Bench.ms(30_000)).toolCount(1);
    Map<String, Object> first = scenario.askEverything();
    for (int i = 0; i < 1_000; i++) {
      scenario.available(true).state(CircuitState.OPEN).route("search");
      scenario.equal("all reads, repeated", first, scenario.askEverything());
    }
    scenario.granted().refused();
    for (int i = 0; i < 10_000; i++) {
      scenario.tool("unseen-" + i).available(true);
    }
    scenario.toolCount(1);
  }

  /**
   * Asks the oracle of a closed breaker with the worst score. On failure, look for an oracle that
   * reads the score.
   */
  @Check(value = Rule.ORACLE_3, needs = ORACLE)
  void theScoreTakesNoPart(Bench bench) {
    bench
        .scenario(new Config(0, 10, 10))
        .failures(50)
        .status(HealthStatus.UNHEALTHY)
        .available(true);
    bench.scenario(new Config(100, 10, 10)).failures(99).available(true);
  }
}

package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.ROUTING;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** The checks of chapter ROUTE: fallbacks for refused tools. */
final class RoutingRules {
  private static final Config STAYS_OPEN = new Config(3, Bench.OUT_OF_REACH, 50);
  private static final Config TIMED = new Config(3, 100, 50);

  /**
   * Routes to an available primary with any score and any fallbacks. On failure, look for a route
   * that depends on the score of the primary.
   */
  @Check(value = Rule.ROUTE_1, needs = ROUTING)
  void thePrimaryIfAvailable(Bench bench) {
    bench
        .scenario(STAYS_OPEN)
        .tool("P")
        .route("P")
        .fallbacks("A", "B")
        .route("P")
        .failures(2) // UNHEALTHY by its score, and still available
        .route("P")
        .tool("A")
        .success()
        .tool("P")
        .route("P");
  }

  /**
   * Routes to a primary before and after its cooldown, and during its probe. The primary is
   * available once it can be probed, and not while a probe is out. On failure, look for a route
   * that depends on the state instead of the oracle.
   */
  @Check(
      value = Rule.ROUTE_1,
      needs = {ROUTING, MANUAL_CLOCK})
  void aPrimaryThatCanBeProbed(Bench bench) {
    bench
        .scenario(TIMED)
        .tool("P")
        .fallbacks("A")
        .failures(3)
        .at(99)
        .route("A")
        .at(100)
        .route("P")
        .granted()
        .route("A")
        .at(150) // the lease is over
        .route("A")
        .at(249)
        .route("A")
        .at(250)
        .route("P");
  }

  /**
   * Skips refused and unhealthy fallbacks, in the order of the list. On failure, look for a choice
   * by score, or for a fallback that must be HEALTHY.
   */
  @Check(value = Rule.ROUTE_2, needs = ROUTING)
  void theFirstFallbackThatIsWell(Bench bench) {
    bench
        .scenario(STAYS_OPEN)
        .tool("P")
        .fallbacks("A", "B", "C")
        .failures(3)
        .route("A")
        .tool("A")
        .failures(3) // refused
        .tool("P")
        .route("B")
        .tool("B")
        .failures(2) // available, but UNHEALTHY
        .tool("P")
        .route("C")
        .tool("C")
        .success()
        .failure() // DEGRADED is well enough
        .success()
        .tool("P")
        .route("C");
    // The order decides, and not the score.
    bench
        .scenario(STAYS_OPEN)
        .tool("A")
        .successes(2)
        .failure() // DEGRADED
        .tool("P")
        .fallbacks("A", "B")
        .failures(3)
        .route("A");
  }

  /**
   * Makes all fallbacks unhealthy. The route must be the first available fallback. On failure, look
   * for a route that gives up after the healthy ones.
   */
  @Check(value = Rule.ROUTE_3, needs = ROUTING)
  void theFirstFallbackThatIsAvailable(Bench bench) {
    bench
        .scenario(STAYS_OPEN)
        .tool("P")
        .fallbacks("A", "B", "C")
        .failures(3)
        .tool("A")
        .failures(3)
        .tool("B")
        .failures(2)
        .tool("C")
        .failures(2)
        .tool("P")
        .route("B");
  }

  /**
   * Leaves a tripped fallback alone until its cooldown has elapsed. On failure, look for a fallback
   * that is skipped because an open breaker is UNHEALTHY.
   */
  @Check(
      value = Rule.ROUTE_3,
      needs = {ROUTING, MANUAL_CLOCK})
  void aFallbackThatCanBeProbed(Bench bench) {
    bench
        .scenario(TIMED)
        .tool("A")
        .failures(3)
        .at(50)
        .tool("P")
        .fallbacks("A")
        .failures(3)
        .at(99)
        .route("P")
        .at(100)
        .route("A")
        .tool("A")
        .granted()
        .tool("P")
        .route("P");
  }

  /**
   * Makes every tool unavailable, with no fallback, one, and several. The route must be the
   * primary. On failure, look for null, an exception, or the last fallback.
   */
  @Check(value = Rule.ROUTE_4, needs = ROUTING)
  void elseThePrimary(Bench bench) {
    bench.scenario(STAYS_OPEN).tool("P").failures(3).route("P").fallbacks().route("P");
    bench
        .scenario(STAYS_OPEN)
        .tool("A")
        .failures(3)
        .tool("B")
        .failures(3)
        .tool("P")
        .failures(3)
        .fallbacks("A", "B")
        .route("P")
        .refused()
        .tool("A")
        .fallbacks("C") // these fallbacks are not P's
        .tool("P")
        .route("P");
  }

  /**
   * Routes many times to a tool that can be probed. The probe must remain available, and no name
   * may be created. On failure, look for a route that asks the gate instead of the oracle.
   */
  @Check(
      value = Rule.ROUTE_5,
      needs = {ROUTING, MANUAL_CLOCK})
  void routingTakesNoProbe(Bench bench) {
    Scenario scenario =
        bench.scenario(TIMED).tool("P").fallbacks("A", "B").failures(3).toolCount(1).at(100);
    for (int i = 0; i < 20; i++) {
      scenario.route("P").state(CircuitState.OPEN).toolCount(1);
    }
    scenario.granted().route("A").toolCount(1);
    Scenario fallback =
        bench.scenario(TIMED).tool("A").failures(3).at(50).tool("P").fallbacks("A").failures(3);
    fallback.at(100);
    for (int i = 0; i < 20; i++) {
      fallback.route("A");
    }
    fallback.tool("A").state(CircuitState.OPEN).granted();
  }

  /**
   * Sets the fallbacks of a primary twice. On failure, look for lists that grow, or for a list
   * shared by all primaries.
   */
  @Check(value = Rule.ROUTE_5, needs = ROUTING)
  void settingAgainReplaces(Bench bench) {
    bench
        .scenario(STAYS_OPEN)
        .tool("Q")
        .fallbacks("C")
        .failures(3)
        .tool("P")
        .fallbacks("A", "B")
        .failures(3)
        .route("A")
        .fallbacks("B")
        .route("B")
        .fallbacks()
        .route("P")
        .tool("Q")
        .route("C");
  }

  /**
   * Uses a primary among its own fallbacks, fallbacks in a circle, and tools that are all down. On
   * failure, look for a recursive route.
   */
  @Check(value = Rule.ROUTE_4, needs = ROUTING, fieldCase = "C30")
  void oddFallbackLists(Bench bench) {
    bench
        .scenario(STAYS_OPEN)
        .tool("P")
        .failures(3)
        .route("P")
        .fallbacks()
        .route("P")
        .fallbacks("P", "P")
        .route("P")
        .fallbacks("P", "F")
        .route("F")
        .tool("F")
        .failures(3)
        .tool("P")
        .fallbacks("F")
        .route("P")
        .refused()
        .tool("F")
        .fallbacks("P") // P and F are each other's fallback, and both are open
        .route("F")
        .tool("P")
        .route("P");
  }

  /**
   * Races two routes when the primary can be probed. Both must lead to the primary, because routing
   * takes no probe.
   */
  @Check(
      value = Rule.ROUTE_5,
      needs = {ROUTING, MANUAL_CLOCK},
      fieldCase = "C30",
      racing = true)
  void twoRouteBeforeEitherAsks(Bench bench) {
    Scenario scenario = bench.scenario().tool("P").fallbacks("G").failures(3).at(Bench.ms(30_000));
    String story = "P can be probed: two callers ask for the route at the same instant";
    try (Callers callers = bench.callers(2)) {
      List<String> routes = callers.all(story, i -> () -> scenario.subject().route("P"));
      bench.expect(story, "the routes", List.of("P", "P"), routes);
    }
    scenario.granted().refused().route("G");
  }
}

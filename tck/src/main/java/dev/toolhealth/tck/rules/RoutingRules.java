package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.ROUTING;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Chapter ROUTE: substitutes for a tool that is refused. */
final class RoutingRules {
  private static final Config STAYS_OPEN = new Config(3, Bench.OUT_OF_REACH, 50);
  private static final Config TIMED = new Config(3, 100, 50);

  /** A primary that is not refused is chosen, with whatever score and fallbacks. */
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

  /** A primary whose cooldown has elapsed is available, to be probed; one being probed is not. */
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

  /** In order; one that is refused, and one that is unhealthy by its score, are passed over. */
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
        .failures(2) // let through, but UNHEALTHY
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

  /** Fallbacks that are all unhealthy: the first that would be let through. */
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

  /** A fallback that was tripped and left alone is found again once its cooldown has elapsed. */
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

  /** Nothing is available: the primary, with no fallbacks, with one, and with several. */
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
        .fallbacks("C") // which are not P's
        .tool("P")
        .route("P");
  }

  /** The probe that a route points to is still there, and no name comes into being. */
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

  /** Set again, the old fallbacks are gone; those of another primary stay. */
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

  /** The primary among its own fallbacks, fallbacks in a circle, everything down. */
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

  /** Two callers route at the instant when the primary can be probed: both are sent there. */
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

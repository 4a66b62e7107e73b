package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Faults in the choice of a substitute. */
final class RoutingFaults {
  private RoutingFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inRegistry(
            Rule.ROUTE_1,
            "an unhealthy primary is passed over",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    return healthStatus(primary) == HealthStatus.UNHEALTHY
                        ? availableFallbacks(primary).stream().findFirst().orElse(primary)
                        : super.route(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_1,
            "the primary is taken only while closed",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    return circuitState(primary) == CircuitState.CLOSED
                        ? primary
                        : availableFallbacks(primary).stream().findFirst().orElse(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_2,
            "an unhealthy fallback is as good as any",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    return isToolAvailable(primary)
                        ? primary
                        : availableFallbacks(primary).stream().findFirst().orElse(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_2,
            "only a healthy fallback will do",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    return isToolAvailable(primary)
                        ? primary
                        : availableFallbacks(primary).stream()
                            .filter(tool -> healthStatus(tool) == HealthStatus.HEALTHY)
                            .findFirst()
                            .orElseGet(
                                () ->
                                    availableFallbacks(primary).stream()
                                        .findFirst()
                                        .orElse(primary));
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_2,
            "the last fallback comes first",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void setFallbacks(String primary, List<String> fallbacks) {
                    List<String> reversed = new ArrayList<>(fallbacks);
                    Collections.reverse(reversed);
                    super.setFallbacks(primary, reversed);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_3,
            "an unhealthy fallback will never do",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    String route = super.route(primary);
                    return route.equals(primary) || healthStatus(route) != HealthStatus.UNHEALTHY
                        ? route
                        : primary;
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_3,
            "of unhealthy fallbacks the last one is taken",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    String route = super.route(primary);
                    return route.equals(primary) || healthStatus(route) != HealthStatus.UNHEALTHY
                        ? route
                        : availableFallbacks(primary).stream()
                            .reduce((first, last) -> last)
                            .orElse(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_4,
            "if nothing is available the last fallback is taken",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    List<String> candidates = fallbacks.getOrDefault(primary, List.of());
                    String route = super.route(primary);
                    return route.equals(primary)
                            && !isToolAvailable(primary)
                            && !candidates.isEmpty()
                        ? candidates.get(candidates.size() - 1)
                        : route;
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_4,
            "a fallback's own fallbacks are followed",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    String route = super.route(primary);
                    if (isToolAvailable(route)) {
                      return route;
                    }
                    return fallbacks.getOrDefault(primary, List.of()).stream()
                        .map(super::route)
                        .filter(this::isToolAvailable)
                        .findFirst()
                        .orElse(primary);
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_5,
            "routing takes the primary's probe",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public String route(String primary) {
                    String route = super.route(primary);
                    LockingTool known = tools.get(route);
                    if (known != null) {
                      known.allowRequest();
                    }
                    return route;
                  }
                }),
        Fault.inRegistry(
            Rule.ROUTE_5,
            "fallbacks that are set again are added",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public void setFallbacks(String primary, List<String> fallbacks) {
                    List<String> both =
                        new ArrayList<>(this.fallbacks.getOrDefault(primary, List.of()));
                    both.addAll(fallbacks);
                    super.setFallbacks(primary, both);
                  }
                }),
        Fault.inRegistry(
                Rule.ROUTE_5,
                "all primaries share their fallbacks",
                (config, clock) ->
                    new LockingRegistry(config, clock) {
                      @Override
                      public void setFallbacks(String primary, List<String> fallbacks) {
                        super.setFallbacks(primary, fallbacks);
                        this.fallbacks.replaceAll((name, old) -> this.fallbacks.get(primary));
                      }
                    })
            .orUnder(Rule.ROUTE_2));
  }
}

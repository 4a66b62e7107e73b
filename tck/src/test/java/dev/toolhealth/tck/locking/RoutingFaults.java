package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Faulty routing. */
final class RoutingFaults {
  private RoutingFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inRegistry(
            Rule.ROUTE_1,
            "Routing skips an available primary that is UNHEALTHY",
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
            "Routing chooses the primary only while it is CLOSED",
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
            "Routing chooses the first available fallback even if it is UNHEALTHY",
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
            "Routing skips a DEGRADED fallback if another one is HEALTHY",
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
            "Routing tries the fallbacks in reverse order",
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
            "Routing never chooses an UNHEALTHY fallback",
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
            "Routing chooses the last UNHEALTHY fallback instead of the first",
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
            "Routing chooses the last fallback if nothing is available",
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
            "Routing tries the fallbacks of a fallback if nothing else is available",
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
            "Routing takes the probe of the tool that it chooses",
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
            "Setting the fallbacks again adds to the old ones",
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
                "Setting the fallbacks of one primary replaces those of all primaries",
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

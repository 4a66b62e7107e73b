package dev.toolhealth;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Chooses which tool to call: the one that was asked for, or a substitute while that one is
 * refused.
 *
 * <p>Routing only reads (ROUTE-5): it takes no probe, and whoever calls the tool still asks its
 * gate. A substitute's own substitutes are not followed. Immutable, and safe for use by any number
 * of threads.
 */
public final class HealthRouter {
  private final ToolHealthRegistry registry;
  private final Map<String, List<String>> fallbacks;

  /**
   * Creates a router.
   *
   * @param registry whose tools to choose from
   * @param fallbacks the names of each primary's substitutes, the preferred one first; a tool that
   *     is not in it has none
   * @throws NullPointerException if an argument, or a name in {@code fallbacks}, is null
   */
  public HealthRouter(ToolHealthRegistry registry, Map<String, List<String>> fallbacks) {
    this.registry = Objects.requireNonNull(registry, "registry");
    Map<String, List<String>> copy = new HashMap<>();
    Objects.requireNonNull(fallbacks, "fallbacks")
        .forEach(
            (primary, substitutes) -> {
              Objects.requireNonNull(primary, "a primary in fallbacks");
              Objects.requireNonNull(substitutes, () -> "fallbacks of " + primary);
              for (String substitute : substitutes) {
                Objects.requireNonNull(substitute, () -> "a fallback of " + primary);
              }
              copy.put(primary, List.copyOf(substitutes));
            });
    this.fallbacks = copy;
  }

  /** Whether this chooses by the health in that registry. */
  boolean choosesFrom(ToolHealthRegistry tools) {
    return registry == tools;
  }

  /**
   * Chooses the tool to call: the primary if it is available (ROUTE-1); else its first fallback
   * that is available and not unhealthy (ROUTE-2); else its first fallback that is available at
   * all, so that an idle one whose cooldown has elapsed is found again (ROUTE-3); else the primary,
   * whose refusal the caller handles (ROUTE-4).
   *
   * @param primary the name of the tool that was asked for
   * @return the name of the tool to call
   */
  public String route(String primary) {
    if (registry.isToolAvailable(Objects.requireNonNull(primary, "primary"))) {
      return primary;
    }
    String lastResort = null;
    for (String fallback : fallbacks.getOrDefault(primary, List.of())) {
      if (registry.isToolAvailable(fallback)) {
        if (registry.healthStatus(fallback) != HealthStatus.UNHEALTHY) {
          return fallback;
        }
        if (lastResort == null) {
          lastResort = fallback;
        }
      }
    }
    return lastResort != null ? lastResort : primary;
  }
}

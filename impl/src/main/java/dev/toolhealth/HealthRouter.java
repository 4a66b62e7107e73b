package dev.toolhealth;

import java.util.ArrayList;
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

  private HealthRouter(Builder builder) {
    this.registry = builder.registry;
    this.fallbacks = Map.copyOf(builder.fallbacks);
  }

  /**
   * Starts a router without fallbacks.
   *
   * @param registry whose tools to choose from
   * @return the builder
   */
  public static Builder builder(ToolHealthRegistry registry) {
    return new Builder(Objects.requireNonNull(registry, "registry"));
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

  /** Collects the fallbacks of a router. Not safe for use by several threads at once. */
  public static final class Builder {
    private final ToolHealthRegistry registry;
    private final Map<String, List<String>> fallbacks = new HashMap<>();

    private Builder(ToolHealthRegistry registry) {
      this.registry = registry;
    }

    /**
     * Sets the fallbacks of a primary, in place of any that were set before (ROUTE-5).
     *
     * @param primary the name of the tool to find a substitute for
     * @param fallbacks the names of its substitutes, the preferred one first
     * @return this builder
     * @throws NullPointerException if an argument or one of the fallbacks is null; nothing has been
     *     set then
     */
    public Builder fallbacks(String primary, List<String> fallbacks) {
      Objects.requireNonNull(primary, "primary");
      Objects.requireNonNull(fallbacks, "fallbacks");
      List<String> copy = new ArrayList<>(fallbacks);
      for (int i = 0; i < copy.size(); i++) {
        Objects.requireNonNull(copy.get(i), "fallbacks[" + i + "]");
      }
      this.fallbacks.put(primary, List.copyOf(copy));
      return this;
    }

    /**
     * Builds the router.
     *
     * @return a router with the fallbacks set so far
     */
    public HealthRouter build() {
      return new HealthRouter(this);
    }
  }
}

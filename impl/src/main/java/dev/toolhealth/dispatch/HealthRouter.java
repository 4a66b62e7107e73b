package dev.toolhealth.dispatch;

import dev.toolhealth.HealthStatus;
import dev.toolhealth.ToolHealthRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A choice between a tool and its substitutes: the requested tool while its circuit breaker admits
 * calls, otherwise a substitute.
 *
 * <p>Routing only reads (ROUTE-5). It takes no probe, and the caller still asks the gate of the
 * chosen tool. The substitutes of a substitute are not considered. Immutable, and safe for use by
 * multiple threads.
 */
public final class HealthRouter {
  private final ToolHealthRegistry registry;
  private final Map<String, List<String>> fallbacks;

  /**
   * Creates a router.
   *
   * @param registry the health of the tools
   * @param fallbacks the names of each tool's substitutes, in order of preference; a tool that is
   *     not a key has none
   * @throws NullPointerException if an argument or a name in {@code fallbacks} is null
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

  /** Returns whether this router reads the health in this registry. */
  boolean reads(ToolHealthRegistry tools) {
    return registry == tools;
  }

  /**
   * Returns the tool to call: the primary if it is available (ROUTE-1); otherwise its first
   * fallback that is available and not unhealthy (ROUTE-2); otherwise its first fallback that is
   * available at all, so that an idle fallback can be probed after its cooldown (ROUTE-3);
   * otherwise the primary, whose refusal the caller handles (ROUTE-4).
   *
   * @param primary the name of the requested tool
   * @return the name of the tool to call
   */
  public String route(String primary) {
    if (registry.isToolAvailable(Objects.requireNonNull(primary, "primary"))) {
      return primary;
    }
    String substitute = substitute(primary);
    return substitute != null ? substitute : primary;
  }

  /** Returns the best available substitute, or null if there is none. */
  @Nullable String substitute(String primary) {
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
    return lastResort;
  }
}

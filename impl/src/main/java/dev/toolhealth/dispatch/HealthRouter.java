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
 * <p>Routing only reads and takes no probe (ROUTE-5), so the caller still asks the gate of the
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
   * @param fallbacks the names of each tool's substitutes, in order of preference; tools without an
   *     entry have no substitutes
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

  /** Returns true if this router reads the health in the given registry. */
  boolean reads(ToolHealthRegistry tools) {
    return registry == tools;
  }

  /**
   * Returns the tool to call:
   *
   * <ol>
   *   <li>the primary, if available (ROUTE-1);
   *   <li>otherwise the first fallback that is available and not unhealthy (ROUTE-2);
   *   <li>otherwise the first available fallback, so that an idle fallback can be probed after its
   *       cooldown (ROUTE-3);
   *   <li>otherwise the primary, whose refusal the caller handles (ROUTE-4).
   * </ol>
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

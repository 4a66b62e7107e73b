package dev.toolhealth;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of all tools of an agent, by name. Around each call:
 *
 * <pre>{@code
 * if (!registry.allowRequest("search")) {
 *   return "tool temporarily unavailable: circuit breaker open";
 * }
 * long start = System.nanoTime();
 * try {
 *   String answer = search(query);
 *   registry.recordSuccess("search", System.nanoTime() - start);
 *   return answer;
 * } catch (IOException | RuntimeException e) {
 *   registry.recordFailure("search", System.nanoTime() - start);
 *   return "search failed: " + e.getMessage();
 * }
 * }</pre>
 *
 * <p>A call that was cancelled or interrupted says nothing of the tool: record nothing for it. If
 * it was the probe, its lease gives the breaker back.
 *
 * <p>Names are compared exactly, and any string is one (REG-1). A tool comes into being at its
 * first outcome or gate call, or when its handle is asked for (REG-2); reading never creates one
 * (REG-3). Tools are never dropped, so the names that are recorded should come from a known set.
 *
 * <p>Safe for use by any number of threads. Only the first sight of a name may wait for another
 * thread; recording and asking never do (REG-6).
 */
public final class ToolHealthRegistry {
  private final ConcurrentHashMap<String, ToolHealth> tools = new ConcurrentHashMap<>();
  private final LongSupplier clock;
  private volatile CircuitBreakerConfig config;

  /** Creates a registry with the default configuration, on the system's monotonic clock. */
  public ToolHealthRegistry() {
    this(CircuitBreakerConfig.defaults());
  }

  /**
   * Creates a registry on the system's monotonic clock.
   *
   * @param config the configuration of the tools' breakers
   */
  public ToolHealthRegistry(CircuitBreakerConfig config) {
    this(config, System::nanoTime);
  }

  /**
   * Creates a registry with a clock of its own, for tests and simulations.
   *
   * @param config the configuration of the tools' breakers
   * @param nanoClock a monotonic clock in nanoseconds, of any origin; it is called by many threads,
   *     and never while a lock is held
   */
  public ToolHealthRegistry(CircuitBreakerConfig config, LongSupplier nanoClock) {
    this.config = Objects.requireNonNull(config, "config");
    this.clock = Objects.requireNonNull(nanoClock, "nanoClock");
  }

  /**
   * Sets the configuration of all breakers that are created from now on. Those that exist keep
   * theirs (REG-4).
   *
   * @param config the configuration
   */
  public void configure(CircuitBreakerConfig config) {
    this.config = Objects.requireNonNull(config, "config");
  }

  /**
   * Gives the handle on a tool, creating the tool at first sight (REG-2).
   *
   * @param tool the tool's name
   * @return the one handle on the tool
   */
  public ToolHealth tool(String tool) {
    ToolHealth known = find(tool);
    // Look first: computeIfAbsent may lock even when the name is there (REG-6).
    return known != null
        ? known
        : tools.computeIfAbsent(tool, name -> new ToolHealth(name, config, clock));
  }

  /**
   * The gate: asks whether the tool's next call may go out, and goes with it if it is the probe.
   *
   * @param tool the tool's name
   * @return whether to make the call
   * @see ToolHealth#allowRequest
   */
  public boolean allowRequest(String tool) {
    return tool(tool).allowRequest();
  }

  /**
   * The oracle: says what {@link #allowRequest} would answer at this instant, and changes nothing.
   *
   * @param tool the tool's name
   * @return whether a call would be let through now; true for a name not seen before (REG-3)
   * @see ToolHealth#isAvailable
   */
  public boolean isToolAvailable(String tool) {
    ToolHealth known = find(tool);
    return known == null || known.isAvailable();
  }

  /**
   * Records that a call of the tool succeeded.
   *
   * @param tool the tool's name
   * @param duration how long the call took
   * @see ToolHealth#recordSuccess(Duration)
   */
  public void recordSuccess(String tool, Duration duration) {
    recordSuccess(tool, Nanos.saturated(duration, "duration"));
  }

  /**
   * Records that a call of the tool succeeded.
   *
   * @param tool the tool's name
   * @param nanos how many nanoseconds the call took
   * @see ToolHealth#recordSuccess(long)
   */
  public void recordSuccess(String tool, long nanos) {
    tool(tool).recordSuccess(nanos);
  }

  /**
   * Records that a call of the tool failed.
   *
   * @param tool the tool's name
   * @param duration how long the call took
   * @see ToolHealth#recordFailure(Duration)
   */
  public void recordFailure(String tool, Duration duration) {
    recordFailure(tool, Nanos.saturated(duration, "duration"));
  }

  /**
   * Records that a call of the tool failed.
   *
   * @param tool the tool's name
   * @param nanos how many nanoseconds the call took
   * @see ToolHealth#recordFailure(long)
   */
  public void recordFailure(String tool, long nanos) {
    tool(tool).recordFailure(nanos);
  }

  /**
   * Says how the tool has been doing.
   *
   * @param tool the tool's name
   * @return the status; {@link HealthStatus#HEALTHY} for a name not seen before (REG-3)
   */
  public HealthStatus healthStatus(String tool) {
    return snapshot(tool).status();
  }

  /**
   * Takes stock of one tool, and changes nothing (ORACLE-2).
   *
   * @param tool the tool's name
   * @return the figures; those of a new tool for a name not seen before (REG-3)
   */
  public ToolSnapshot snapshot(String tool) {
    ToolHealth known = find(tool);
    return (known != null ? known : new ToolHealth(tool, config, clock)).snapshot();
  }

  /**
   * Takes stock of all tools, and changes nothing (REG-5, ORACLE-2).
   *
   * @return the tools' figures in the order of their names; it does not follow later changes
   */
  public Map<String, ToolSnapshot> healthSummary() {
    Map<String, ToolSnapshot> summary = new TreeMap<>();
    tools.forEach((name, tool) -> summary.put(name, tool.snapshot()));
    return Collections.unmodifiableMap(summary);
  }

  /**
   * Counts the tools that have come into being.
   *
   * @return how many names are tracked
   */
  public int toolCount() {
    return tools.size();
  }

  private @Nullable ToolHealth find(String tool) {
    return tools.get(Objects.requireNonNull(tool, "tool"));
  }
}

package dev.toolhealth;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
 * (REG-3). Names can come from a model that makes them up, so the number of tools is bounded
 * (REG-7).
 *
 * <p>Safe for use by any number of threads. Only the first sight of a name may wait for another
 * thread; recording and asking never do (REG-6).
 */
public final class ToolHealthRegistry {
  /** How many tools are tracked unless another number is given. */
  public static final int DEFAULT_MAX_TOOLS = 100_000;

  private final ConcurrentHashMap<String, ToolHealth> tools = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, CircuitBreakerConfig> configs = new ConcurrentHashMap<>();
  private final Listeners listeners = new Listeners();
  private final ToolStats untracked = new ToolStats();
  private final AtomicInteger room;
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
    this(config, nanoClock, DEFAULT_MAX_TOOLS);
  }

  /**
   * Creates a registry with a bound of its own on the tools that it tracks.
   *
   * @param config the configuration of the tools' breakers
   * @param nanoClock a monotonic clock in nanoseconds, of any origin
   * @param maxTools how many tools are tracked (REG-7)
   * @throws IllegalArgumentException if {@code maxTools} is negative
   */
  public ToolHealthRegistry(CircuitBreakerConfig config, LongSupplier nanoClock, int maxTools) {
    this.config = Objects.requireNonNull(config, "config");
    this.clock = Objects.requireNonNull(nanoClock, "nanoClock");
    if (maxTools < 0) {
      throw new IllegalArgumentException("maxTools is " + maxTools + " but must be 0 or more");
    }
    this.room = new AtomicInteger(maxTools);
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
   * Sets the configuration of one tool's breaker, in place of the common one. It applies to a
   * breaker that is created from now on; one that exists keeps its own (REG-4).
   *
   * @param tool the tool's name
   * @param config the configuration
   */
  public void configure(String tool, CircuitBreakerConfig config) {
    Objects.requireNonNull(tool, "tool");
    configs.put(tool, Objects.requireNonNull(config, "config"));
  }

  /**
   * Gives the handle on a tool, creating the tool at first sight (REG-2).
   *
   * <p>At the bound an unseen name gets a handle that is not tracked: it lets every call through,
   * and its outcomes are counted with those of all such names (REG-7): {@link #untrackedOutcomes}
   * has their number, and the handle's own figures are theirs. Such a handle stays untracked.
   *
   * @param tool the tool's name
   * @return the one handle on the tool
   */
  public ToolHealth tool(String tool) {
    ToolHealth known = known(tool); // computeIfAbsent may lock even when the name is there (REG-6)
    return known != null ? known : atFirstSight(tool);
  }

  private ToolHealth atFirstSight(String tool) {
    // Whoever else sees the name first waits here, so that room is taken once for it (REG-6).
    boolean[] isNew = {false};
    ToolHealth tracked =
        tools.computeIfAbsent(
            tool,
            name -> {
              isNew[0] = room.getAndUpdate(left -> Math.max(left - 1, 0)) > 0;
              return isNew[0] ? newTool(name) : null;
            });
    if (isNew[0]) {
      listeners.tell(listener -> listener.onTracked(tool));
    }
    return tracked != null ? tracked : untracked(tool);
  }

  /**
   * Finds the handle on a tool, and creates nothing (REG-3).
   *
   * @param tool the tool's name
   * @return the handle, or empty if the tool is not tracked
   */
  public Optional<ToolHealth> find(String tool) {
    return Optional.ofNullable(known(tool));
  }

  private ToolHealth newTool(String tool) {
    return new ToolHealth(
        tool, configs.getOrDefault(tool, config), clock, listeners, new ToolStats());
  }

  private ToolHealth untracked(String tool) {
    return new ToolHealth(tool, config.withFailureThreshold(0), clock, listeners, untracked);
  }

  /**
   * Forgets a tool: its counters and its breaker, though not a configuration of its own. The name
   * is a new one from now on. Handles and permits from before stay with what is forgotten: nothing
   * that comes by them reaches the new tool. Listeners are told of the transitions that it still
   * makes.
   *
   * @param tool the tool's name
   * @return whether it was known
   */
  public boolean forget(String tool) {
    if (tools.remove(Objects.requireNonNull(tool, "tool")) == null) {
      return false;
    }
    room.incrementAndGet();
    listeners.tell(listener -> listener.onForgotten(tool));
    return true;
  }

  /**
   * Adds a listener, which is told from now on of every transition of every breaker: once, after it
   * has happened, in the thread that made it or in one that made another of the same tool's; and of
   * tools that come and go.
   *
   * <p>The transitions of one tool come one at a time and in the order in which they happened;
   * those of different tools may come at the same time. A call that has made a transition may
   * return before the listener is told, if another thread is just telling it of an earlier one. A
   * slow listener delays the calls that make transitions, and no others. What a listener throws is
   * logged, and reaches no caller.
   *
   * <p>An expired lease is told of by the next call that may change the tool's breaker, not by a
   * read.
   *
   * @param listener is told
   * @return takes the listener away again
   */
  public ToolListener.Registration addListener(ToolListener listener) {
    return listeners.add(Objects.requireNonNull(listener, "listener"));
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
   * The gate, with a permit that ties the call's result to this answer.
   *
   * @param tool the tool's name
   * @return a permit, granted just when {@link #allowRequest} would answer true (PERMIT-1)
   * @see ToolHealth#tryAcquire
   */
  public Permit tryAcquire(String tool) {
    return tool(tool).tryAcquire();
  }

  /**
   * The oracle: says what {@link #allowRequest} would answer at this instant, and changes nothing.
   *
   * @param tool the tool's name
   * @return whether a call would be let through now; true for a name not seen before (REG-3)
   * @see ToolHealth#isAvailable
   */
  public boolean isToolAvailable(String tool) {
    ToolHealth known = known(tool);
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
    ToolHealth known = known(tool);
    return (known != null ? known : newTool(tool)).snapshot();
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
   * Writes {@link #healthSummary} as a table, for logs and terminals, the worst tools first.
   *
   * @return a line of headings and a line for each tool
   */
  public String healthReport() {
    return HealthReport.of(healthSummary().values());
  }

  /**
   * Counts the tools that have come into being and were not forgotten.
   *
   * @return how many names are tracked
   */
  public int toolCount() {
    return tools.size();
  }

  /**
   * Counts the outcomes of calls whose tools are not tracked since there were too many (REG-7).
   *
   * @return how many there were
   */
  public long untrackedOutcomes() {
    return untracked.successes() + untracked.failures();
  }

  /** What the clock shows. */
  long nanoTime() {
    return clock.getAsLong();
  }

  private @Nullable ToolHealth known(String tool) {
    return tools.get(Objects.requireNonNull(tool, "tool"));
  }
}

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
 * The health of all tools of an agent, by name.
 *
 * <p>Most programs call their tools through a {@link dev.toolhealth.dispatch.ToolDispatcher}, which
 * does all of the following. Without a dispatcher, a call looks like this:
 *
 * <pre>{@code
 * if (!registry.allowRequest("search")) {
 *   return "tool temporarily unavailable: circuit breaker open";
 * }
 * long start = System.nanoTime();
 * try {
 *   String answer = search(query);
 *   registry.recordSuccessNanos("search", System.nanoTime() - start);
 *   return answer;
 * } catch (IOException | RuntimeException e) {
 *   registry.recordFailureNanos("search", System.nanoTime() - start);
 *   return "search failed: " + e.getMessage();
 * }
 * }</pre>
 *
 * <p>Record nothing for a cancelled or interrupted call, because such a call says nothing about the
 * tool. If the call was the probe, the breaker recovers when the probe's lease ends. A {@link
 * #tryAcquire permit} can be cancelled and then returns the probe's slot at once.
 *
 * <p>Names are compared exactly, and any string is a name (REG-1). The registry creates a tool at
 * the first outcome or gate call, or when the program requests its handle (REG-2). Reads create
 * nothing (REG-3).
 *
 * <p><b>Names that a model makes up.</b> A bound applies to tools that are known only from calls by
 * name (REG-7), see {@link Builder#maxUnnamedTools}. Tools named by the program itself, through
 * {@link #configure(String, CircuitBreakerConfig)} or {@link #tool}, are always tracked and do not
 * count towards the bound. At the bound, calls under further names are admitted but not tracked;
 * {@link #untrackedOutcomes} counts their outcomes.
 *
 * <p>Safe for use by multiple threads. Only the first use of a name may wait for another thread;
 * recording and asking never do (REG-6).
 */
public final class ToolHealthRegistry {
  private final ConcurrentHashMap<String, ToolHealth> tools = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, CircuitBreakerConfig> configs = new ConcurrentHashMap<>();
  private final Listeners listeners = new Listeners();
  private final ToolStats untracked = new ToolStats();

  /*
   * Tools that are known only from calls by name take one of `maxUnnamedTools` places each. A place is
   * taken and returned inside a `compute` on the tool's entry. The map runs these one at a time for
   * each name, so a tool takes exactly one place and returns it exactly once.
   *
   * `placesFilled` counts a tool once the map contains it. When all places are filled, no tool is about
   * to enter the map with the last place. A name that is then absent is untracked, and its call needs
   * no lock (REG-6). `placesLeft` would not do: its zero comes before the last tool is in the map, and
   * another call of that tool would go untracked meanwhile.
   */
  private final int maxUnnamedTools;
  private final AtomicInteger placesLeft;
  private final AtomicInteger placesFilled = new AtomicInteger();

  private final LongSupplier clock;
  private volatile CircuitBreakerConfig config;

  private ToolHealthRegistry(Builder builder) {
    config = builder.config;
    clock = builder.nanoClock;
    maxUnnamedTools = builder.maxUnnamedTools;
    placesLeft = new AtomicInteger(maxUnnamedTools);
  }

  /**
   * Creates a registry with the default configuration and the system's monotonic clock.
   *
   * @return a new registry without tools
   */
  public static ToolHealthRegistry ofDefaults() {
    return builder().build();
  }

  /**
   * Creates a builder with the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of registries. Not safe for use by multiple threads. */
  public static final class Builder {
    private CircuitBreakerConfig config = CircuitBreakerConfig.ofDefaults();
    private LongSupplier nanoClock = System::nanoTime;
    private int maxUnnamedTools = 100_000;

    private Builder() {}

    /**
     * Sets the configuration of all circuit breakers without a configuration of their own.
     *
     * @param config the configuration; {@link CircuitBreakerConfig#ofDefaults} by default
     * @return this builder
     */
    public Builder config(CircuitBreakerConfig config) {
      this.config = Objects.requireNonNull(config, "config");
      return this;
    }

    /**
     * Sets the clock, for tests and simulations.
     *
     * @param nanoClock a monotonic clock in nanoseconds with any origin; {@link System#nanoTime} by
     *     default. Many threads may call the clock at the same time, but never under a lock.
     * @return this builder
     */
    public Builder nanoClock(LongSupplier nanoClock) {
      this.nanoClock = Objects.requireNonNull(nanoClock, "nanoClock");
      return this;
    }

    /**
     * Sets how many tools are tracked under names that the program has not named itself (REG-7).
     *
     * @param maxUnnamedTools the bound, 0 or more; 100 000 by default
     * @return this builder
     * @throws IllegalArgumentException if {@code maxUnnamedTools} is negative
     */
    public Builder maxUnnamedTools(int maxUnnamedTools) {
      if (maxUnnamedTools < 0) {
        throw new IllegalArgumentException(
            "maxUnnamedTools is " + maxUnnamedTools + " but must be 0 or more");
      }
      this.maxUnnamedTools = maxUnnamedTools;
      return this;
    }

    /**
     * Creates a registry.
     *
     * @return a new registry without tools
     */
    public ToolHealthRegistry build() {
      return new ToolHealthRegistry(this);
    }
  }

  /**
   * Sets the configuration of future circuit breakers without a configuration of their own.
   * Existing breakers keep their configuration (REG-4).
   *
   * @param config the configuration
   */
  public void configure(CircuitBreakerConfig config) {
    this.config = Objects.requireNonNull(config, "config");
  }

  /**
   * Sets the configuration of one tool's circuit breaker. An existing breaker keeps its old
   * configuration until the tool is forgotten (REG-4). From now on the tool is tracked even at the
   * bound (REG-7).
   *
   * @param tool the tool's name
   * @param config the configuration
   */
  public void configure(String tool, CircuitBreakerConfig config) {
    Objects.requireNonNull(tool, "tool");
    configs.put(tool, Objects.requireNonNull(config, "config"));
    tools.computeIfPresent(tool, (name, known) -> withoutPlace(known));
  }

  /**
   * Returns the handle on a tool, and creates the tool if necessary (REG-2). Until {@link #forget},
   * the tool is tracked even at the bound (REG-7), so request handles only for names known to the
   * program and not for names made up by a model.
   *
   * @param tool the tool's name
   * @return the handle, always the same for one name until the tool is forgotten
   */
  public ToolHealth tool(String tool) {
    ToolHealth known = known(tool); // compute may lock even if the name is present (REG-6)
    return known != null && !known.takesPlace ? known : named(tool);
  }

  private ToolHealth named(String tool) {
    boolean[] isNew = {false};
    ToolHealth named =
        tools.compute(
            tool,
            (name, known) -> {
              isNew[0] = known == null;
              return known == null ? newTool(name) : withoutPlace(known);
            });
    notifyIfTracked(tool, isNew[0]);
    return named;
  }

  private ToolHealth withoutPlace(ToolHealth tool) {
    if (tool.takesPlace) {
      tool.takesPlace = false;
      placesFilled.decrementAndGet();
      placesLeft.incrementAndGet();
    }
    return tool;
  }

  /** Returns the tool for a call by name. A model may have made the name up. */
  private ToolHealth called(String tool) {
    ToolHealth known = known(tool); // computeIfAbsent may lock even if the name is present (REG-6)
    return known != null ? known : calledFirst(tool);
  }

  private ToolHealth calledFirst(String tool) {
    boolean isFull = placesFilled.get() == maxUnnamedTools;
    if (isFull && !configs.containsKey(tool) && known(tool) == null) {
      return untracked(tool);
    }
    boolean[] isNew = {false};
    boolean[] takesPlace = {false};
    ToolHealth tracked =
        tools.computeIfAbsent(
            tool,
            name -> {
              boolean isNamed = configs.containsKey(name);
              takesPlace[0] =
                  !isNamed && placesLeft.getAndUpdate(left -> Math.max(left - 1, 0)) > 0;
              isNew[0] = isNamed || takesPlace[0];
              if (!isNew[0]) {
                return null;
              }
              ToolHealth created = newTool(name);
              created.takesPlace = takesPlace[0];
              return created;
            });
    if (takesPlace[0]) {
      placesFilled.incrementAndGet();
    }
    notifyIfTracked(tool, isNew[0]);
    return tracked != null ? tracked : untracked(tool);
  }

  private void notifyIfTracked(String tool, boolean isNew) {
    if (isNew) {
      listeners.notifyEach(listener -> listener.onTracked(tool));
    }
  }

  /**
   * Returns the handle on a tool if the tool is tracked, and creates nothing (REG-3).
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

  /** Returns a tool that admits every call and adds outcomes to the common counters (REG-7). */
  private ToolHealth untracked(String tool) {
    return new ToolHealth(tool, config.withFailureThreshold(0), clock, listeners, untracked);
  }

  /**
   * Forgets a tool, with its counters and its circuit breaker. A configuration of its own stays.
   * The next use of the name creates a new tool. Handles and permits from before belong to the
   * forgotten tool and never affect the new tool, but listeners are still notified of their
   * transitions. If the program had named the tool only by its handle, the name counts towards the
   * bound again (REG-7).
   *
   * @param tool the tool's name
   * @return true if the tool was tracked
   */
  public boolean forget(String tool) {
    Objects.requireNonNull(tool, "tool");
    boolean[] isForgotten = {false};
    tools.computeIfPresent(
        tool,
        (name, known) -> {
          withoutPlace(known);
          isForgotten[0] = true;
          return null;
        });
    if (isForgotten[0]) {
      listeners.notifyEach(listener -> listener.onForgotten(tool));
    }
    return isForgotten[0];
  }

  /**
   * Adds a listener. The listener is notified of every transition of every circuit breaker, once,
   * after the transition has happened, and of tools that are tracked or forgotten.
   *
   * <p>The transitions of one tool arrive one at a time and in their true order; transitions of
   * different tools may arrive at the same time. The thread that caused a transition notifies the
   * listener, unless another thread is just notifying listeners for the same tool: then the other
   * thread delivers both transitions, and the call that caused the second may return before its
   * delivery. A slow listener delays only calls that cause transitions. Exceptions of a listener
   * are logged.
   *
   * <p>An expired lease is reported when a call next uses the tool's gate or records an outcome,
   * because nothing runs in the background. Reads report nothing.
   *
   * @param listener the listener
   * @return a registration; close the registration to remove the listener
   */
  public ToolListener.Registration addListener(ToolListener listener) {
    return listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Asks the gate for one call of the tool.
   *
   * @param tool the tool's name
   * @return true if the call is admitted
   * @see ToolHealth#allowRequest
   */
  public boolean allowRequest(String tool) {
    return called(tool).allowRequest();
  }

  /**
   * Asks the gate for one call of the tool, and returns a permit that ties the call's result to the
   * gate's answer.
   *
   * @param tool the tool's name
   * @return a permit, which is granted if and only if {@link #allowRequest} would return true
   *     (PERMIT-1)
   * @see ToolHealth#tryAcquire
   */
  public Permit tryAcquire(String tool) {
    return called(tool).tryAcquire();
  }

  /**
   * Returns whether {@link #allowRequest} would return true now, without changing anything.
   *
   * @param tool the tool's name
   * @return true if a call would be admitted now, or if the name is unknown (REG-3)
   * @see ToolHealth#isAvailable
   */
  public boolean isToolAvailable(String tool) {
    ToolHealth known = known(tool);
    return known == null || known.isAvailable();
  }

  /**
   * Records a successful call of the tool.
   *
   * @param tool the tool's name
   * @param duration how long the call took
   * @see ToolHealth#recordSuccess(Duration)
   */
  public void recordSuccess(String tool, Duration duration) {
    recordSuccessNanos(tool, Nanos.saturated(duration, "duration"));
  }

  /**
   * Records a successful call of the tool.
   *
   * @param tool the tool's name
   * @param durationNanos how long the call took, in nanoseconds
   * @see ToolHealth#recordSuccessNanos(long)
   */
  public void recordSuccessNanos(String tool, long durationNanos) {
    called(tool).recordSuccessNanos(durationNanos);
  }

  /**
   * Records a failed call of the tool.
   *
   * @param tool the tool's name
   * @param duration how long the call took
   * @see ToolHealth#recordFailure(Duration)
   */
  public void recordFailure(String tool, Duration duration) {
    recordFailureNanos(tool, Nanos.saturated(duration, "duration"));
  }

  /**
   * Records a failed call of the tool.
   *
   * @param tool the tool's name
   * @param durationNanos how long the call took, in nanoseconds
   * @see ToolHealth#recordFailureNanos(long)
   */
  public void recordFailureNanos(String tool, long durationNanos) {
    called(tool).recordFailureNanos(durationNanos);
  }

  /**
   * Returns the tool's status.
   *
   * @param tool the tool's name
   * @return the status; {@link HealthStatus#HEALTHY} for an unknown name (REG-3)
   */
  public HealthStatus healthStatus(String tool) {
    return snapshot(tool).status();
  }

  /**
   * Returns the tool's statistics and the state of its breaker, without changing anything
   * (ORACLE-2).
   *
   * @param tool the tool's name
   * @return the figures; for an unknown name, the figures of a new tool (REG-3)
   */
  public ToolSnapshot snapshot(String tool) {
    ToolHealth known = known(tool);
    return (known != null ? known : newTool(tool)).snapshot();
  }

  /**
   * Returns the figures of all tools, without changing anything (REG-5, ORACLE-2).
   *
   * @return an unmodifiable copy, ordered by name
   */
  public Map<String, ToolSnapshot> healthSummary() {
    Map<String, ToolSnapshot> summary = new TreeMap<>();
    tools.forEach((name, tool) -> summary.put(name, tool.snapshot()));
    return Collections.unmodifiableMap(summary);
  }

  /**
   * Returns the {@link #healthSummary} as a table for logs and terminals, with the worst tools
   * first.
   *
   * @return a line of headings and one line for each tool
   */
  public String healthReport() {
    return HealthReport.of(healthSummary().values());
  }

  /**
   * Returns the number of tracked tools.
   *
   * @return the number of tools that were created and not forgotten
   */
  public int toolCount() {
    return tools.size();
  }

  /**
   * Returns the number of outcomes under untracked names, which exist only at the bound (REG-7).
   *
   * @return 0 or more
   */
  public long untrackedOutcomes() {
    return untracked.successes() + untracked.failures();
  }

  /**
   * Returns the time of this registry's clock, for measuring durations.
   *
   * @return nanoseconds since an arbitrary origin, as {@link System#nanoTime}
   */
  public long nanoTime() {
    return clock.getAsLong();
  }

  private @Nullable ToolHealth known(String tool) {
    return tools.get(Objects.requireNonNull(tool, "tool"));
  }
}

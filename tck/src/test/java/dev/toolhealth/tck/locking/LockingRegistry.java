package dev.toolhealth.tck.locking;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** A registry that finds {@link LockingTool}s by name and routes between them. */
class LockingRegistry implements Subject {
  final LongSupplier clock;
  final Map<String, LockingTool> tools = new ConcurrentHashMap<>();
  final Map<String, List<String>> fallbacks = new ConcurrentHashMap<>();
  volatile Config config;

  LockingRegistry(Config config, LongSupplier clock) {
    this.config = checked(config);
    this.clock = requireNonNull(clock, "nanoClock");
  }

  static Config checked(Config config) {
    requireNonNull(config, "config");
    requireNonNegative("failureThreshold", config.failureThreshold());
    requireNonNegative("recoveryDuration", config.recoveryNanos());
    requireNonNegative("probeTimeout", config.probeTimeoutNanos());
    return config;
  }

  static void requireNonNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " must not be negative: " + value);
    }
  }

  LockingTool newTool() {
    return new LockingTool(config, clock);
  }

  /** Returns the tool for a write, and creates the tool if the name is new. */
  LockingTool toolToChange(String tool) {
    return findOrCreate(requireNonNull(tool, "tool"));
  }

  LockingTool findOrCreate(String tool) {
    return tools.computeIfAbsent(tool, name -> newTool());
  }

  /** Returns the tool for a read, or a temporary new tool if the name is unknown. */
  LockingTool toolToRead(String tool) {
    return findOrElseNew(requireNonNull(tool, "tool"));
  }

  LockingTool findOrElseNew(String tool) {
    LockingTool known = tools.get(tool);
    return known != null ? known : newTool();
  }

  @Override
  public boolean allowRequest(String tool) {
    return toolToChange(tool).allowRequest();
  }

  @Override
  public void recordSuccess(String tool, long nanos) {
    toolToChange(tool).recordSuccess(nanos);
  }

  @Override
  public void recordFailure(String tool, long nanos) {
    toolToChange(tool).recordFailure(nanos);
  }

  @Override
  public Handle handle(String tool) {
    return toolToChange(tool);
  }

  @Override
  public boolean isToolAvailable(String tool) {
    return toolToRead(tool).isAvailable();
  }

  @Override
  public CircuitState circuitState(String tool) {
    return toolToRead(tool).circuitState();
  }

  @Override
  public long consecutiveFailures(String tool) {
    return toolToRead(tool).consecutiveFailures();
  }

  @Override
  public Statistics statistics(String tool) {
    return toolToRead(tool).statistics();
  }

  @Override
  public long ewma(String tool) {
    return toolToRead(tool).ewma();
  }

  @Override
  public double score(String tool) {
    return toolToRead(tool).score();
  }

  @Override
  public HealthStatus healthStatus(String tool) {
    return toolToRead(tool).status();
  }

  @Override
  public long toolCount() {
    return tools.size();
  }

  @Override
  public Map<String, SummaryEntry> healthSummary() {
    Map<String, SummaryEntry> summary = new TreeMap<>();
    tools.forEach((name, tool) -> summary.put(name, tool.summary()));
    return summary;
  }

  @Override
  public void configure(Config config) {
    this.config = checked(config);
  }

  @Override
  public void setFallbacks(String primary, List<String> fallbacks) {
    requireNonNull(primary, "primary");
    requireNonNull(fallbacks, "fallbacks");
    fallbacks.forEach(fallback -> requireNonNull(fallback, "fallbacks"));
    this.fallbacks.put(primary, List.copyOf(fallbacks));
  }

  @Override
  public String route(String primary) {
    requireNonNull(primary, "primary");
    if (isToolAvailable(primary)) {
      return primary;
    }
    List<String> available = availableFallbacks(primary);
    for (String fallback : available) {
      if (healthStatus(fallback) != HealthStatus.UNHEALTHY) {
        return fallback;
      }
    }
    // Otherwise an idle fallback would never be probed and never recover (ROUTE-3).
    return available.isEmpty() ? primary : available.get(0);
  }

  List<String> availableFallbacks(String primary) {
    return fallbacks.getOrDefault(primary, List.of()).stream()
        .filter(this::isToolAvailable)
        .toList();
  }
}

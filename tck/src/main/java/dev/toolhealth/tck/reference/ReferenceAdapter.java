package dev.toolhealth.tck.reference;

import dev.toolhealth.CircuitBreakerConfig;
import dev.toolhealth.ToolHealth;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.dispatch.HealthRouter;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The adapter of the bundled reference implementation. It declares every capability. */
public final class ReferenceAdapter implements Adapter {

  /** Creates the adapter. */
  public ReferenceAdapter() {}

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return new ReferenceSubject(
        ToolHealthRegistry.builder()
            .config(translate(config))
            .nanoClock(nanoClock)
            .maxUnnamedTools(Integer.MAX_VALUE)
            .build());
  }

  private static CircuitBreakerConfig translate(Config config) {
    return CircuitBreakerConfig.ofDefaults()
        .withFailureThreshold(config.failureThreshold())
        .withRecoveryDuration(Duration.ofNanos(config.recoveryNanos()))
        .withProbeTimeout(Duration.ofNanos(config.probeTimeoutNanos()));
  }

  private static final class ReferenceSubject implements Subject {
    private final ToolHealthRegistry registry;
    private Map<String, List<String>> routes = Map.of();
    private volatile HealthRouter router;

    ReferenceSubject(ToolHealthRegistry registry) {
      this.registry = registry;
      this.router = new HealthRouter(registry, routes);
    }

    @Override
    public boolean allowRequest(String tool) {
      return registry.allowRequest(tool);
    }

    @Override
    public void recordSuccess(String tool, long durationNanos) {
      registry.recordSuccessNanos(tool, durationNanos);
    }

    @Override
    public void recordFailure(String tool, long durationNanos) {
      registry.recordFailureNanos(tool, durationNanos);
    }

    @Override
    public boolean isToolAvailable(String tool) {
      return registry.isToolAvailable(tool);
    }

    @Override
    public CircuitState circuitState(String tool) {
      return CircuitState.valueOf(registry.snapshot(tool).circuitState().name());
    }

    @Override
    public long consecutiveFailures(String tool) {
      return registry.snapshot(tool).consecutiveFailures();
    }

    @Override
    public Statistics statistics(String tool) {
      ToolSnapshot snapshot = registry.snapshot(tool);
      return new Statistics(
          snapshot.successes(),
          snapshot.failures(),
          snapshot.total(),
          snapshot.successRate(),
          snapshot.totalDuration().toNanos(),
          snapshot.averageDuration().toNanos(),
          snapshot.maxDuration().toNanos());
    }

    @Override
    public long ewma(String tool) {
      return registry.snapshot(tool).ewma();
    }

    @Override
    public double score(String tool) {
      return registry.snapshot(tool).score();
    }

    @Override
    public HealthStatus healthStatus(String tool) {
      return HealthStatus.valueOf(registry.healthStatus(tool).name());
    }

    @Override
    public long toolCount() {
      return registry.toolCount();
    }

    @Override
    public Map<String, SummaryEntry> healthSummary() {
      Map<String, SummaryEntry> summary = new HashMap<>();
      registry
          .healthSummary()
          .forEach(
              (tool, snapshot) ->
                  summary.put(
                      tool,
                      new SummaryEntry(
                          HealthStatus.valueOf(snapshot.status().name()), snapshot.score())));
      return summary;
    }

    @Override
    public void configure(Config config) {
      registry.configure(translate(config));
    }

    @Override
    public synchronized void setFallbacks(String primary, List<String> fallbacks) {
      Map<String, List<String>> changed = new HashMap<>(routes);
      changed.put(primary, fallbacks);
      router = new HealthRouter(registry, changed); // throws for nulls before anything has changed
      routes = changed;
    }

    @Override
    public String route(String primary) {
      return router.route(primary);
    }

    @Override
    public Permit tryAcquire(String tool) {
      return new ReferencePermit(registry.tryAcquire(tool));
    }

    @Override
    public Handle handle(String tool) {
      return new ReferenceHandle(registry.tool(tool));
    }
  }

  private record ReferencePermit(dev.toolhealth.Permit permit) implements Permit {
    @Override
    public boolean isGranted() {
      return permit.isGranted();
    }

    @Override
    public long retryAfterNanos() {
      return permit.retryAfter().map(Duration::toNanos).orElse(UNBOUNDED);
    }

    @Override
    public void success(long durationNanos) {
      permit.successNanos(durationNanos);
    }

    @Override
    public void failure(long durationNanos) {
      permit.failureNanos(durationNanos);
    }

    @Override
    public void cancel() {
      permit.cancel();
    }

    @Override
    public void close() {
      permit.close();
    }
  }

  private record ReferenceHandle(ToolHealth tool) implements Handle {
    @Override
    public boolean allowRequest() {
      return tool.allowRequest();
    }

    @Override
    public void recordSuccess(long durationNanos) {
      tool.recordSuccessNanos(durationNanos);
    }

    @Override
    public void recordFailure(long durationNanos) {
      tool.recordFailureNanos(durationNanos);
    }
  }
}

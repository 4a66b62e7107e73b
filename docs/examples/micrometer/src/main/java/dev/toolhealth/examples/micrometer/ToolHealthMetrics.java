package dev.toolhealth.examples.micrometer;

import dev.toolhealth.CircuitState;
import dev.toolhealth.ToolHealth;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolListener;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.Transition;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.search.Search;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * A binder of meters for every tool in a registry. Meters appear when their tool is first tracked
 * and disappear when the tool is forgotten. Scraping changes nothing.
 */
public final class ToolHealthMetrics implements MeterBinder {
  private final ToolHealthRegistry tools;

  /** Creates a binder for the tools of a registry. */
  public ToolHealthMetrics(ToolHealthRegistry tools) {
    this.tools = tools;
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    Binding binding = new Binding(tools, meters, new ConcurrentHashMap<>());
    tools.addListener(binding);
    tools.healthSummary().keySet().forEach(binding::rebind);
  }

  private record Binding(
      ToolHealthRegistry tools, MeterRegistry meters, Map<String, ToolHealth> bound)
      implements ToolListener {

    @Override
    public void onTransition(Transition transition) {
      String cause = lower(transition.cause());
      meters
          .counter("tool.health.transitions", "tool", transition.tool(), "cause", cause)
          .increment();
    }

    @Override
    public void onTracked(String tool) {
      rebind(tool);
    }

    @Override
    public void onForgotten(String tool) {
      rebind(tool);
    }

    /**
     * Replaces the meters of a name if the registry has another tool of that name now.
     * Notifications about a name that is forgotten and tracked again can arrive in any order, so
     * they are only occasions to look.
     */
    void rebind(String name) {
      bound.compute(
          name,
          (same, before) -> {
            ToolHealth tool = tools.find(name).orElse(null);
            if (tool == before) {
              return tool;
            }
            Search.in(meters)
                .name(meter -> meter.startsWith("tool.health."))
                .tag("tool", name)
                .meters()
                .forEach(meters::remove);
            if (tool != null) {
              bind(tool, Tags.of("tool", name));
            }
            return tool;
          });
    }

    private void bind(ToolHealth tool, Tags tags) {
      bindCalls(tool, tags.and("outcome", "success"), ToolSnapshot::successes);
      bindCalls(tool, tags.and("outcome", "failure"), ToolSnapshot::failures);
      FunctionTimer.builder(
              "tool.health.duration",
              tool,
              t -> t.snapshot().total(),
              t -> t.snapshot().totalDuration().toNanos(),
              TimeUnit.NANOSECONDS)
          .tags(tags)
          .description("Duration of calls")
          .register(meters);
      TimeGauge.builder(
              "tool.health.duration.max",
              () -> tool.snapshot().maxDuration().toNanos(),
              TimeUnit.NANOSECONDS)
          .tags(tags)
          .description("Duration of the longest call")
          .register(meters);
      // Counters hold only weak references. The strong ones of the gauges keep the tool alive.
      Gauge.builder("tool.health.score", tool, t -> t.snapshot().score())
          .tags(tags)
          .strongReference(true)
          .description("Health from 0 to 1, from the success rates of all and of recent calls")
          .register(meters);
      for (CircuitState state : CircuitState.values()) {
        Gauge.builder("tool.health.state", tool, t -> t.snapshot().circuitState() == state ? 1 : 0)
            .tags(tags.and("state", lower(state)))
            .strongReference(true)
            .description("1 for the current state of the circuit breaker, 0 for the others")
            .register(meters);
      }
    }

    private void bindCalls(ToolHealth tool, Tags tags, ToDoubleFunction<ToolSnapshot> count) {
      FunctionCounter.builder("tool.health.calls", tool, t -> count.applyAsDouble(t.snapshot()))
          .tags(tags)
          .baseUnit("calls")
          .description("Calls with this outcome")
          .register(meters);
    }

    private static String lower(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
  }
}

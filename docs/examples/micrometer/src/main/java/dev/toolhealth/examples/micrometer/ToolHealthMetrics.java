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
 * Meters of every tool: they come with the tool, and go when it is forgotten. A scrape reads, and
 * changes nothing.
 */
public final class ToolHealthMetrics implements MeterBinder {
  private final ToolHealthRegistry tools;

  /** Prepares meters of these tools. */
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

    /** Goes by what holds now: news of a name that comes and goes may come in any order. */
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
          .description("How long calls took")
          .register(meters);
      TimeGauge.builder(
              "tool.health.duration.max",
              () -> tool.snapshot().maxDuration().toNanos(),
              TimeUnit.NANOSECONDS)
          .tags(tags)
          .description("How long the longest call took")
          .register(meters);
      // A strong reference, here and in the gauge of the maximum, keeps the counters' tool alive.
      Gauge.builder("tool.health.score", tool, t -> t.snapshot().score())
          .tags(tags)
          .strongReference(true)
          .description("0 to 1: all time's success rate against the recent past's")
          .register(meters);
      for (CircuitState state : CircuitState.values()) {
        Gauge.builder("tool.health.state", tool, t -> t.snapshot().circuitState() == state ? 1 : 0)
            .tags(tags.and("state", lower(state)))
            .strongReference(true)
            .description("1 for the state that the circuit breaker is in")
            .register(meters);
      }
    }

    private void bindCalls(ToolHealth tool, Tags tags, ToDoubleFunction<ToolSnapshot> count) {
      FunctionCounter.builder("tool.health.calls", tool, t -> count.applyAsDouble(t.snapshot()))
          .tags(tags)
          .baseUnit("calls")
          .description("How many calls had this outcome")
          .register(meters);
    }

    private static String lower(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
  }
}

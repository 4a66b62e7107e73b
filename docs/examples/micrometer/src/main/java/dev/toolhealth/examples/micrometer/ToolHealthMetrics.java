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
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
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
    Binding binding = new Binding(tools, meters);
    tools.addListener(binding);
    tools.healthSummary().keySet().forEach(binding::rebind);
  }

  private record Bound(ToolHealth tool, List<Meter> meters) {}

  private record Binding(ToolHealthRegistry tools, MeterRegistry meters, Map<String, Bound> bound)
      implements ToolListener {

    Binding(ToolHealthRegistry tools, MeterRegistry meters) {
      this(tools, meters, new ConcurrentHashMap<>());
    }

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
            if (before != null && before.tool() == tool) {
              return before;
            }
            if (before != null) {
              before.meters().forEach(meters::remove);
              meters
                  .find("tool.health.transitions")
                  .tag("tool", name)
                  .meters()
                  .forEach(meters::remove);
            }
            return tool == null ? null : new Bound(tool, metersOf(tool));
          });
    }

    private List<Meter> metersOf(ToolHealth tool) {
      Tags tags = Tags.of("tool", tool.name());
      List<Meter> all = new ArrayList<>();
      all.add(calls(tool, tags.and("outcome", "success"), ToolSnapshot::successes));
      all.add(calls(tool, tags.and("outcome", "failure"), ToolSnapshot::failures));
      all.add(
          FunctionTimer.builder(
                  "tool.health.duration",
                  tool,
                  t -> t.snapshot().total(),
                  t -> t.snapshot().totalDuration().toNanos(),
                  TimeUnit.NANOSECONDS)
              .tags(tags)
              .description("How long calls took")
              .register(meters));
      all.add(
          TimeGauge.builder(
                  "tool.health.duration.max",
                  () -> tool.snapshot().maxDuration().toNanos(),
                  TimeUnit.NANOSECONDS)
              .tags(tags)
              .description("How long the longest call took")
              .register(meters));
      all.add(
          gauge("tool.health.score", tags, tool, ToolSnapshot::score)
              .description("0 to 1: all time's success rate against the recent past's")
              .register(meters));
      for (CircuitState state : CircuitState.values()) {
        all.add(
            gauge(
                    "tool.health.state",
                    tags.and("state", lower(state)),
                    tool,
                    snapshot -> snapshot.circuitState() == state ? 1 : 0)
                .description("1 for the state that the circuit breaker is in")
                .register(meters));
      }
      return all;
    }

    private Meter calls(ToolHealth tool, Tags tags, ToDoubleFunction<ToolSnapshot> count) {
      return FunctionCounter.builder(
              "tool.health.calls", tool, t -> count.applyAsDouble(t.snapshot()))
          .tags(tags)
          .baseUnit("calls")
          .description("How many calls had this outcome")
          .register(meters);
    }

    /** A strong reference, here and in the gauge of the maximum, keeps the counters' tool alive. */
    private static Gauge.Builder<ToolHealth> gauge(
        String name, Tags tags, ToolHealth tool, ToDoubleFunction<ToolSnapshot> figure) {
      return Gauge.builder(name, tool, t -> figure.applyAsDouble(t.snapshot()))
          .tags(tags)
          .strongReference(true);
    }

    private static String lower(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
  }
}

package dev.toolhealth.examples.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.ToolHealthRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Field case C32, in the text that Prometheus scrapes. */
class ToolHealthMetricsTest {
  private final AtomicLong clock = new AtomicLong();
  private final ToolHealthRegistry tools =
      ToolHealthRegistry.builder().nanoClock(clock::get).build();
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  private void at(long seconds) {
    clock.set(Duration.ofSeconds(seconds).toNanos());
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      tools.recordFailure("search", Duration.ofMillis(500));
    }
  }

  /** Returns the lines of a scrape without the comments. */
  private List<String> scrape() {
    return prometheus.scrape().lines().filter(line -> !line.startsWith("#")).sorted().toList();
  }

  @Test
  void everyFigureIsThereBeforeTheFirstTransition() {
    new ToolHealthMetrics(tools).bindTo(prometheus);
    tools.recordSuccess("search", Duration.ofMillis(1_500));
    assertThat(scrape())
        .containsExactly(
            "tool_health_calls_total{outcome=\"failure\",tool=\"search\"} 0.0",
            "tool_health_calls_total{outcome=\"success\",tool=\"search\"} 1.0",
            "tool_health_duration_max_seconds{tool=\"search\"} 1.5",
            "tool_health_duration_seconds_count{tool=\"search\"} 1",
            "tool_health_duration_seconds_sum{tool=\"search\"} 1.5",
            "tool_health_score{tool=\"search\"} 1.0",
            "tool_health_state{state=\"closed\",tool=\"search\"} 1.0",
            "tool_health_state{state=\"half_open\",tool=\"search\"} 0.0",
            "tool_health_state{state=\"open\",tool=\"search\"} 0.0");
  }

  @Test
  void toolsFromBeforeTheBindingAreThereToo() {
    fail(1);
    new ToolHealthMetrics(tools).bindTo(prometheus);
    assertThat(scrape())
        .contains("tool_health_calls_total{outcome=\"failure\",tool=\"search\"} 1.0");
  }

  @Test
  void transitionsAreCountedByCause() {
    new ToolHealthMetrics(tools).bindTo(prometheus);
    fail(3);
    at(30);
    tools.allowRequest("search");
    tools.recordSuccessNanos("search", 1);
    fail(3);
    assertThat(scrape())
        .contains(
            "tool_health_transitions_total{cause=\"tripped\",tool=\"search\"} 2.0",
            "tool_health_transitions_total{cause=\"probe_granted\",tool=\"search\"} 1.0",
            "tool_health_transitions_total{cause=\"probe_succeeded\",tool=\"search\"} 1.0",
            "tool_health_state{state=\"open\",tool=\"search\"} 1.0");
  }

  /** Field case C32: the meters alone keep the figures alive. */
  @Test
  void figuresOutliveTheReferencesToThem() {
    bindAndDrop(prometheus);
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    assertThat(scrape()).isNotEmpty().noneMatch(line -> line.endsWith("NaN"));
  }

  private static void bindAndDrop(PrometheusMeterRegistry prometheus) {
    ToolHealthRegistry dropped = ToolHealthRegistry.ofDefaults();
    new ToolHealthMetrics(dropped).bindTo(prometheus);
    dropped.recordFailureNanos("search", 1);
  }

  /** Field case C32: a name that comes back starts a new series, so no counter falls. */
  @Test
  void metersFollowAToolThatIsForgottenAndComesBack() {
    new ToolHealthMetrics(tools).bindTo(prometheus);
    fail(5);
    tools.forget("search");
    assertThat(scrape()).isEmpty();
    fail(1);
    assertThat(scrape())
        .contains(
            "tool_health_calls_total{outcome=\"failure\",tool=\"search\"} 1.0",
            "tool_health_state{state=\"closed\",tool=\"search\"} 1.0");
  }

  /** Field case C32: a hundred scrapes across a lease. */
  @Test
  void scrapingChangesNothing() {
    new ToolHealthMetrics(tools).bindTo(prometheus);
    fail(3);
    at(30);
    tools.allowRequest("search");
    for (int second = 30; second < 130; second++) {
      at(second);
      scrape();
      assertThat(tools.isToolAvailable("search")).isEqualTo(second >= 90);
    }
    assertThat(tools.allowRequest("search")).isTrue();
    assertThat(tools.allowRequest("search")).isFalse();
  }
}

package dev.toolhealth.jmh;

import dev.toolhealth.CircuitBreakerConfig;
import dev.toolhealth.Permit;
import dev.toolhealth.ToolHealth;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.ToolCall;
import dev.toolhealth.dispatch.ToolDispatcher;
import dev.toolhealth.dispatch.ToolResult;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/**
 * Complete calls of the reference implementation: a permit with its report, and the dispatcher with
 * a tool that does nothing. The dispatcher reads the clock twice.
 */
public abstract class Guarded extends Timing {
  private static final String OPEN = "open";

  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder()
          .config(CircuitBreakerConfig.ofDefaults().withFailureThreshold(1))
          .build();
  private final ToolDispatcher dispatcher = new ToolDispatcher(registry);
  private final ToolHealth tool = registry.tool(name);
  private final ToolHealth open = opened();
  private final ToolCall<String> call = asked -> asked;

  private ToolHealth opened() {
    // A cooldown that outlasts the run.
    registry.configure(
        OPEN,
        CircuitBreakerConfig.ofDefaults()
            .withFailureThreshold(1)
            .withRecoveryDuration(Duration.ofDays(1)));
    registry.recordFailureNanos(OPEN, 1);
    return registry.tool(OPEN);
  }

  @Benchmark
  public void permit() {
    try (Permit permit = tool.tryAcquire()) {
      permit.successNanos(nanos);
    }
  }

  @Benchmark
  public boolean permitRefused() {
    try (Permit permit = open.tryAcquire()) {
      return permit.isGranted();
    }
  }

  @Benchmark
  public ToolResult<String> dispatch() {
    return dispatcher.dispatch(name, call);
  }

  @Benchmark
  public ToolResult<String> dispatchRefused() {
    return dispatcher.dispatch(OPEN, call);
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends Guarded {}

  /** Two threads that share the tools. */
  @Threads(2)
  public static class Shared extends Guarded {}
}

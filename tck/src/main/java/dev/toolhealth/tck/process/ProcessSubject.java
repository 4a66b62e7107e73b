package dev.toolhealth.tck.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One registry in a process. An answer of the wrong type is a fault of the implementation, not a
 * breach of the protocol. The exception it causes does not end the process, so the kit can search
 * for the shortest script that shows the fault.
 */
final class ProcessSubject implements Subject {
  private final ProcessAdapter process;
  private final long registry;
  private final LongSupplier clock;

  ProcessSubject(ProcessAdapter process, long registry, LongSupplier clock) {
    this.process = process;
    this.registry = registry;
    this.clock = clock;
  }

  @Override
  public boolean allowRequest(String tool) {
    return truth(ask("allowRequest", tool));
  }

  @Override
  public void recordSuccess(String tool, long durationNanos) {
    ask("recordSuccess", request -> request.put("tool", tool).put("nanos", durationNanos));
  }

  @Override
  public void recordFailure(String tool, long durationNanos) {
    ask("recordFailure", request -> request.put("tool", tool).put("nanos", durationNanos));
  }

  @Override
  public boolean isToolAvailable(String tool) {
    return truth(ask("isToolAvailable", tool));
  }

  @Override
  public CircuitState circuitState(String tool) {
    return one(CircuitState.class, ask("circuitState", tool));
  }

  @Override
  public long consecutiveFailures(String tool) {
    return number(ask("consecutiveFailures", tool));
  }

  @Override
  public Statistics statistics(String tool) {
    JsonNode statistics = ask("statistics", tool);
    return new Statistics(
        number(statistics.path("successes")),
        number(statistics.path("failures")),
        number(statistics.path("total")),
        fraction(statistics.path("successRate")),
        number(statistics.path("durationSumNanos")),
        number(statistics.path("averageDurationNanos")),
        number(statistics.path("maxDurationNanos")));
  }

  @Override
  public long ewma(String tool) {
    return number(ask("ewma", tool));
  }

  @Override
  public double score(String tool) {
    return fraction(ask("score", tool));
  }

  @Override
  public HealthStatus healthStatus(String tool) {
    return one(HealthStatus.class, ask("healthStatus", tool));
  }

  @Override
  public long toolCount() {
    return number(ask("toolCount", request -> {}));
  }

  @Override
  public Map<String, SummaryEntry> healthSummary() {
    Map<String, SummaryEntry> summary = new HashMap<>();
    for (Map.Entry<String, JsonNode> entry : ask("healthSummary", request -> {}).properties()) {
      HealthStatus status = one(HealthStatus.class, entry.getValue().path("status"));
      double score = fraction(entry.getValue().path("score"));
      summary.put(entry.getKey(), new SummaryEntry(status, score));
    }
    return summary;
  }

  @Override
  public void configure(Config config) {
    ask("configure", request -> ProcessAdapter.put(request, config));
  }

  @Override
  public void setFallbacks(String primary, List<String> fallbacks) {
    ask(
        "setFallbacks",
        request -> {
          request.put("tool", primary);
          if (fallbacks == null) {
            request.putNull("fallbacks"); // the implementation must refuse it
          } else {
            ArrayNode names = request.putArray("fallbacks");
            fallbacks.forEach(names::add);
          }
        });
  }

  @Override
  public String route(String primary) {
    JsonNode tool = ask("route", primary);
    if (!tool.isTextual()) {
      throw unusable("a name", tool);
    }
    return tool.textValue();
  }

  @Override
  public Handle handle(String tool) {
    long handle = process.nextHandle();
    ask("handle", request -> request.put("tool", tool).put("handle", handle));
    return new Handle() {
      @Override
      public boolean allowRequest() {
        return truth(ask("allowRequest", request -> request.put("handle", handle)));
      }

      @Override
      public void recordSuccess(long durationNanos) {
        ask("recordSuccess", request -> request.put("handle", handle).put("nanos", durationNanos));
      }

      @Override
      public void recordFailure(long durationNanos) {
        ask("recordFailure", request -> request.put("handle", handle).put("nanos", durationNanos));
      }
    };
  }

  @Override
  public Permit tryAcquire(String tool) {
    long permit = process.nextHandle();
    JsonNode answer = ask("tryAcquire", request -> request.put("tool", tool).put("permit", permit));
    boolean granted = truth(answer.path("granted"));
    long retryAfter = number(answer.path("retryAfterNanos"));
    return new Permit() {
      @Override
      public boolean isGranted() {
        return granted;
      }

      @Override
      public long retryAfterNanos() {
        return retryAfter;
      }

      @Override
      public void success(long durationNanos) {
        ask("success", request -> request.put("permit", permit).put("nanos", durationNanos));
      }

      @Override
      public void failure(long durationNanos) {
        ask("failure", request -> request.put("permit", permit).put("nanos", durationNanos));
      }

      @Override
      public void cancel() {
        ask("cancel", request -> request.put("permit", permit));
      }

      @Override
      public void close() {
        ask("close", request -> request.put("permit", permit));
      }
    };
  }

  private JsonNode ask(String op, String tool) {
    return ask(op, request -> request.put("tool", tool));
  }

  private JsonNode ask(String op, Consumer<ObjectNode> arguments) {
    return process.ask(op, registry, clock, arguments);
  }

  private static boolean truth(JsonNode answer) {
    if (!answer.isBoolean()) {
      throw unusable("true or false", answer);
    }
    return answer.booleanValue();
  }

  private static long number(JsonNode answer) {
    if (!answer.isIntegralNumber() || !answer.canConvertToLong()) {
      throw unusable("a 64-bit integer", answer);
    }
    return answer.longValue();
  }

  private static double fraction(JsonNode answer) {
    if (!answer.isNumber()) {
      throw unusable("a number", answer);
    }
    return answer.doubleValue();
  }

  private static <E extends Enum<E>> E one(Class<E> type, JsonNode answer) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(answer.textValue())) {
        return constant;
      }
    }
    throw unusable("a " + type.getSimpleName(), answer);
  }

  private static IllegalStateException unusable(String expected, JsonNode answer) {
    IllegalStateException unusable =
        new IllegalStateException("expected " + expected + ", but the process answered " + answer);
    unusable.setStackTrace(new StackTraceElement[0]); // the stack would be the kit's own
    return unusable;
  }
}

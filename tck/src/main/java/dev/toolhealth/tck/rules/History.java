package dev.toolhealth.tck.rules;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Model;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A record of concurrent calls on one tool. The algorithm of Wing and Gong searches for an order of
 * the calls to explain every answer. In a valid order, a call that returned before another began
 * comes first. Each call uses one reading of the clock between its begin and end.
 */
final class History {
  private static final String TOOL = "search";

  /** An action of a caller. Passing time is not a call and needs no place in the order. */
  enum Operation {
    ALLOW_REQUEST,
    RECORD_SUCCESS,
    RECORD_FAILURE,
    IS_TOOL_AVAILABLE,
    CIRCUIT_STATE,
    PASS_TIME;

    /** Returns the name of the called method, or a description of the passing time. */
    String words() {
      return switch (this) {
        case ALLOW_REQUEST -> "allowRequest";
        case RECORD_SUCCESS -> "recordSuccess";
        case RECORD_FAILURE -> "recordFailure";
        case IS_TOOL_AVAILABLE -> "isToolAvailable";
        case CIRCUIT_STATE -> "circuitState";
        case PASS_TIME -> "moves the clock by 1 ns";
      };
    }

    boolean isAnswered() {
      return switch (this) {
        case ALLOW_REQUEST, IS_TOOL_AVAILABLE, CIRCUIT_STATE -> true;
        case RECORD_SUCCESS, RECORD_FAILURE, PASS_TIME -> false;
      };
    }

    static List<Operation> offeredBy(Bench bench) {
      List<Operation> operations =
          new ArrayList<>(List.of(ALLOW_REQUEST, RECORD_SUCCESS, RECORD_FAILURE, PASS_TIME));
      if (bench.claims(Capability.ORACLE)) {
        operations.add(IS_TOOL_AVAILABLE);
      }
      if (bench.claims(Capability.CIRCUIT_STATE)) {
        operations.add(CIRCUIT_STATE);
      }
      return operations;
    }
  }

  /** A call, the answer, the moments of begin and end, and the clock at both moments. */
  private record Call(
      int caller,
      Operation operation,
      int begin,
      int end,
      long clockAtBegin,
      long clockAtEnd,
      Object answer) {

    /** Reads must leave no trace, because the next call may use an earlier time (CONC-1). */
    boolean changesSomething() {
      return switch (operation) {
        case RECORD_SUCCESS, RECORD_FAILURE -> true;
        case ALLOW_REQUEST -> answer.equals(true);
        case IS_TOOL_AVAILABLE, CIRCUIT_STATE, PASS_TIME -> false;
      };
    }

    @Override
    public String toString() {
      return "caller %d: %s%s, from moment %d to %d, clock at %s"
          .formatted(
              caller + 1,
              operation.words(),
              operation.isAnswered() ? " -> " + answer : "",
              begin,
              end,
              clockAtBegin == clockAtEnd
                  ? clockAtBegin + " ns"
                  : clockAtBegin + " to " + clockAtEnd + " ns");
    }
  }

  /** A call at a place in the order, with a time. */
  private record Placed(Call call, long now) {}

  private final Config config;
  private final List<Operation> before;
  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger moments = new AtomicInteger();
  private final Subject subject;
  private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

  /** Creates a registry and performs the first operations before the callers start. */
  History(Bench bench, Config config, List<Operation> before) {
    this.config = config;
    this.before = before;
    this.subject = bench.adapter().create(config, clock::get);
    before.forEach(this::perform);
  }

  /** Performs the operations of one caller and records the answers. */
  void record(int caller, List<Operation> operations) {
    List<Call> own = new ArrayList<>();
    for (Operation operation : operations) {
      long clockAtBegin = clock.get();
      int begin = moments.getAndIncrement();
      Object answer = perform(operation);
      int end = moments.getAndIncrement();
      own.add(new Call(caller, operation, begin, end, clockAtBegin, clock.get(), answer));
    }
    calls.addAll(own);
  }

  private Object perform(Operation operation) {
    return switch (operation) {
      case ALLOW_REQUEST -> subject.allowRequest(TOOL);
      case IS_TOOL_AVAILABLE -> subject.isToolAvailable(TOOL);
      case CIRCUIT_STATE -> subject.circuitState(TOOL);
      case RECORD_SUCCESS -> {
        subject.recordSuccess(TOOL, 1);
        yield "nothing";
      }
      case RECORD_FAILURE -> {
        subject.recordFailure(TOOL, 1);
        yield "nothing";
      }
      case PASS_TIME -> clock.incrementAndGet();
    };
  }

  /** Returns whether some order of the calls explains every answer. */
  boolean isLinearizable() {
    return explains(new ArrayList<>(), subjectCalls());
  }

  private List<Call> subjectCalls() {
    return calls.stream()
        .filter(call -> call.operation() != Operation.PASS_TIME)
        .sorted(Comparator.comparingInt(Call::begin))
        .toList();
  }

  private boolean explains(List<Placed> placed, List<Call> left) {
    if (left.isEmpty()) {
      return true;
    }
    int firstEnd = left.stream().mapToInt(Call::end).min().orElseThrow();
    for (Call next : left) {
      if (next.begin() > firstEnd) {
        return false; // this call and all later ones began after another call had returned
      }
      List<Call> rest = new ArrayList<>(left);
      rest.remove(next);
      for (long now = next.clockAtBegin(); now <= next.clockAtEnd(); now++) {
        placed.add(new Placed(next, now));
        if (lastAnswer(placed).equals(next.answer()) && explains(placed, rest)) {
          return true;
        }
        placed.remove(placed.size() - 1);
      }
    }
    return false;
  }

  /** Returns the answer of the model to the last of the placed calls. */
  private Object lastAnswer(List<Placed> placed) {
    Model model = new Model(config);
    long now = 0;
    for (Operation operation : before) {
      now += operation == Operation.PASS_TIME ? 1 : 0;
      answer(model, operation, now);
    }
    int last = placed.size() - 1;
    for (Placed earlier : placed.subList(0, last)) {
      if (earlier.call().changesSomething()) {
        answer(model, earlier.call().operation(), earlier.now());
      }
    }
    return answer(model, placed.get(last).call().operation(), placed.get(last).now());
  }

  private static Object answer(Model model, Operation operation, long now) {
    return switch (operation) {
      case ALLOW_REQUEST -> model.allowRequest(TOOL, now).value();
      case IS_TOOL_AVAILABLE -> model.isToolAvailable(TOOL, now).value();
      case CIRCUIT_STATE -> model.circuitState(TOOL, now).value();
      case RECORD_SUCCESS -> {
        model.recordSuccess(TOOL, 1, now);
        yield "nothing";
      }
      case RECORD_FAILURE -> {
        model.recordFailure(TOOL, 1, now);
        yield "nothing";
      }
      case PASS_TIME -> "nothing";
    };
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "with threshold %d, recovery %d ns, probe timeout %d ns"
            .formatted(
                config.failureThreshold(), config.recoveryNanos(), config.probeTimeoutNanos()));
    if (!before.isEmpty()) {
      lines.add(
          "before the race: "
              + before.stream().map(Operation::words).collect(Collectors.joining(", ")));
    }
    calls.stream()
        .sorted(Comparator.comparingInt(Call::begin))
        .forEach(call -> lines.add(call.toString()));
    return String.join("\n", lines);
  }
}

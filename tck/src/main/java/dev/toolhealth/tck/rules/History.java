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
 * What several callers did to one tool at once, and whether some order of it explains every answer
 * (the search of Wing and Gong). In that order a call that returned before another began comes
 * first, and each goes by a time that the clock showed between its beginning and its end.
 */
final class History {
  private static final String TOOL = "search";

  /** What a caller can do. Passing time is not asked of the subject, and is in order by itself. */
  enum Operation {
    ALLOW_REQUEST,
    RECORD_SUCCESS,
    RECORD_FAILURE,
    IS_TOOL_AVAILABLE,
    CIRCUIT_STATE,
    PASS_TIME;

    /** The call as it is written in the language of subjects, or that it is none. */
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

  /** One call: what was answered, between which moments, and what the clock showed at these. */
  private record Call(
      int caller,
      Operation operation,
      int begin,
      int end,
      long clockAtBegin,
      long clockAtEnd,
      Object answer) {

    /** A look must leave no trace: the next call may go by an earlier time (CONC-1). */
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

  /** A call in its place, and the time it goes by there. */
  private record Placed(Call call, long now) {}

  private final Config config;
  private final List<Operation> before;
  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger moments = new AtomicInteger();
  private final Subject subject;
  private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

  /** Creates a registry, and does something to its tool before the callers come. */
  History(Bench bench, Config config, List<Operation> before) {
    this.config = config;
    this.before = before;
    this.subject = bench.adapter().create(config, clock::get);
    before.forEach(this::perform);
  }

  /** Does a caller's part, and notes what comes of it. */
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

  /** Whether some order of the calls explains all that was answered. */
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
        return false; // it and all after it began when another call had returned
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

  /** What the model answers to the last of some calls. */
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
          "before they come: "
              + before.stream().map(Operation::words).collect(Collectors.joining(", ")));
    }
    calls.stream()
        .sorted(Comparator.comparingInt(Call::begin))
        .forEach(call -> lines.add(call.toString()));
    return String.join("\n", lines);
  }
}

package dev.toolhealth;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.HBClock;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.lincheck.datastructures.verifier.CachedVerifier;

/**
 * A verifier that searches for an order of the calls that explains all answers. A call that
 * returned before another began comes first in this order. Every call has its own time: a clock
 * value between the call's beginning and end, not older than the times in the state (CONC-1).
 *
 * <p>Lincheck's own verifier would judge every call by the clock value at its place in the order.
 * It would therefore reject a correct execution: the probe's success reads the clock just before
 * the lease's end, and closes the breaker just after the lease's end.
 */
public final class TimedVerifier extends CachedVerifier {
  private final SequentialBreaker start;

  /** Creates the verifier. Lincheck passes the class of the scenarios' operations. */
  public TimedVerifier(Class<?> operations) throws ReflectiveOperationException {
    start = ((BreakerOperations) operations.getConstructor().newInstance()).specification();
  }

  /** A call, the calls of each thread completed before, and the clock values during the call. */
  private record Call(
      String operation, String answer, HBClock beganAfter, long earliest, long latest) {}

  @Override
  public boolean verifyResultsImpl(ExecutionScenario scenario, ExecutionResult result) {
    List<List<Call>> threads = calls(scenario.getThreads(), result.getThreadsResultsWithClock());
    return explains(start, threads, new int[threads.size()]);
  }

  private static List<List<Call>> calls(
      List<List<Actor>> actors, List<List<ResultWithClock>> results) {
    List<List<Call>> threads = new ArrayList<>();
    for (int thread = 0; thread < actors.size(); thread++) {
      List<Call> calls = new ArrayList<>();
      for (int i = 0; i < actors.get(thread).size(); i++) {
        HBClock beganAfter = results.get(thread).get(i).getClockOnStart();
        calls.add(
            new Call(
                name(actors, thread, i),
                String.valueOf(results.get(thread).get(i).getResult()),
                beganAfter,
                ticksBefore(beganAfter, actors),
                ticksNotAfter(thread, i, actors, results)));
      }
      threads.add(calls);
    }
    return threads;
  }

  private static long ticksBefore(HBClock moment, List<List<Actor>> actors) {
    long ticks = 0;
    for (int thread = 0; thread < actors.size(); thread++) {
      for (int i = 0; i < moment.get(thread); i++) {
        ticks += isTick(actors, thread, i) ? 1 : 0;
      }
    }
    return ticks;
  }

  private static long ticksNotAfter(
      int caller, int call, List<List<Actor>> actors, List<List<ResultWithClock>> results) {
    long ticks = 0;
    for (int thread = 0; thread < actors.size(); thread++) {
      for (int i = 0; i < actors.get(thread).size(); i++) {
        boolean after = results.get(thread).get(i).getClockOnStart().get(caller) > call;
        ticks += isTick(actors, thread, i) && !after ? 1 : 0;
      }
    }
    return ticks;
  }

  private static boolean isTick(List<List<Actor>> actors, int thread, int i) {
    return name(actors, thread, i).equals("tick");
  }

  private static String name(List<List<Actor>> actors, int thread, int i) {
    return actors.get(thread).get(i).getMethod().getName();
  }

  /**
   * Returns whether an order explains the remaining calls, after the first {@code done} of each
   * thread.
   */
  private static boolean explains(SequentialBreaker breaker, List<List<Call>> threads, int[] done) {
    boolean nothingLeft = true;
    for (int thread = 0; thread < threads.size(); thread++) {
      if (done[thread] == threads.get(thread).size()) {
        continue;
      }
      nothingLeft = false;
      Call call = threads.get(thread).get(done[thread]);
      if (canBeNext(call, done)) {
        done[thread]++;
        for (long now = call.earliest(); now <= call.latest(); now++) {
          if (isExplained(breaker, call, now)
              && explains(after(breaker, call, now), threads, done)) {
            return true;
          }
        }
        done[thread]--;
      }
    }
    return nothingLeft;
  }

  private static boolean canBeNext(Call call, int[] done) {
    for (int thread = 0; thread < done.length; thread++) {
      if (done[thread] < call.beganAfter().get(thread)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isExplained(SequentialBreaker breaker, Call call, long now) {
    return call.operation().equals("tick")
        || (now >= breaker.since() && call.answer().equals(answer(breaker.at(now), call, now)));
  }

  private static String answer(SequentialBreaker seen, Call call, long now) {
    return switch (call.operation()) {
      case "allowRequest", "isAvailable" -> "" + seen.admits(now);
      case "look" -> seen.state() + " " + seen.failures();
      default -> "void";
    };
  }

  private static SequentialBreaker after(SequentialBreaker breaker, Call call, long now) {
    return switch (call.operation()) {
      case "allowRequest" -> breaker.afterGate(now);
      case "recordSuccess" -> breaker.afterSuccess(now);
      case "recordFailure" -> breaker.afterFailure(now);
      default -> breaker;
    };
  }
}

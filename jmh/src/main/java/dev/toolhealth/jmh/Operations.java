package dev.toolhealth.jmh;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * The operations on a CLOSED tool, as users call them: {@link System#nanoTime} is the clock, and
 * the tool is in a steady state. Every benchmark has its own tool.
 */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class Operations extends SubjectTiming {
  private static final Config NEVER_TRIPS = new Config(0, 0, 0);

  /**
   * Has a threshold that the mixture never reaches. Libraries with a window of calls use a window
   * of a hundred calls, which is Resilience4j's default.
   */
  private static final Config TRIPS_LATE =
      new Config(100, TimeUnit.SECONDS.toNanos(30), TimeUnit.SECONDS.toNanos(30));

  private Handle healthy;
  private Handle failing;
  private Handle mixed;

  /** Creates the tools. */
  @Setup
  public void createTools() {
    healthy = tool(Config.DEFAULT);
    failing = tool(NEVER_TRIPS);
    mixed = tool(TRIPS_LATE);
  }

  @Benchmark
  public void recordSuccess() {
    healthy.recordSuccess(nanos);
  }

  /** Measures failures only: the breaker keeps counting, and the EWMA has settled at 0. */
  @Benchmark
  public void recordFailure() {
    failing.recordFailure(nanos);
  }

  /** Measures nine successes per failure: the EWMA never settles. */
  @Benchmark
  public void recordMixed(Mix mix) {
    mix.record(mixed, nanos);
  }

  @Benchmark
  public boolean allowRequestClosed(Answers answers) {
    return answers.expect(true, healthy.allowRequest());
  }

  /** Measures the gate and the success of a call. */
  @Benchmark
  public boolean allowAndRecord(Answers answers) {
    boolean allowed = answers.expect(true, healthy.allowRequest());
    if (allowed) {
      healthy.recordSuccess(nanos);
    }
    return allowed;
  }

  /** Measures the gate and the outcome of calls, one in ten of which fails. */
  @Benchmark
  public boolean allowAndRecordMixed(Answers answers, Mix mix) {
    boolean allowed = answers.expect(true, mixed.allowRequest());
    if (allowed) {
      mix.record(mixed, nanos);
    }
    return allowed;
  }

  /**
   * A counter of unexpected answers. With any count but 0, the benchmark has measured something
   * else. Expected answers are not counted, because counting costs as much as a gate.
   */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Answers {
    /** The number of unexpected answers. */
    public long unexpected;

    boolean expect(boolean expected, boolean answer) {
      if (answer != expected) {
        unexpected++;
      }
      return answer;
    }
  }

  /** A mixture in which every tenth call of a thread fails. */
  @State(Scope.Thread)
  public static class Mix {
    private int calls;

    void record(Handle tool, long nanos) {
      calls = calls == 9 ? 0 : calls + 1;
      if (calls == 0) {
        tool.recordFailure(nanos);
      } else {
        tool.recordSuccess(nanos);
      }
    }
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends Operations {}

  /** Two threads that share the tool. */
  @Threads(2)
  public static class Shared extends Operations {}
}

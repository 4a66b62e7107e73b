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
 * The operations on a tool that is CLOSED, as users call them: with {@link System#nanoTime} for the
 * clock, and in the state that lasts. Every benchmark has its tool to itself.
 */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class Operations extends SubjectTiming {
  private static final Config NEVER_TRIPS = new Config(0, 0, 0);

  /**
   * Trips at a run of failures that the mixture never has. Libraries that look at the last so many
   * calls look at a hundred of them, which is what they do by default.
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

  /** Failures and nothing else: the breaker keeps counting, the moving average has settled at 0. */
  @Benchmark
  public void recordFailure() {
    failing.recordFailure(nanos);
  }

  /** Nine successes, one failure: the moving average never settles. */
  @Benchmark
  public void recordMixed(Mix mix) {
    mix.record(mixed, nanos);
  }

  @Benchmark
  public boolean allowRequestClosed(Answers answers) {
    return answers.expect(true, healthy.allowRequest());
  }

  /** The full cycle of a call that succeeds. */
  @Benchmark
  public boolean allowAndRecord(Answers answers) {
    boolean allowed = answers.expect(true, healthy.allowRequest());
    if (allowed) {
      healthy.recordSuccess(nanos);
    }
    return allowed;
  }

  /** The full cycle of calls of which one in ten fails. */
  @Benchmark
  public boolean allowAndRecordMixed(Answers answers, Mix mix) {
    boolean allowed = answers.expect(true, mixed.allowRequest());
    if (allowed) {
      mix.record(mixed, nanos);
    }
    return allowed;
  }

  /**
   * Counts the answers that a benchmark is not about; any number but 0 says that something else was
   * timed. The expected ones are not counted, since that would cost as much as a gate.
   */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Answers {
    /** How many there were. */
    public long unexpected;

    boolean expect(boolean expected, boolean answer) {
      if (answer != expected) {
        unexpected++;
      }
      return answer;
    }
  }

  /** Says which of a thread's calls fail: every tenth. */
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

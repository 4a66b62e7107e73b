package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * The operations on a tool, as users call them: with {@link System#nanoTime} for the clock, and in
 * the state that lasts. Every benchmark has its tool to itself.
 */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public abstract class Operations extends Timing {
  private static final Config NEVER_TRIPS = new Config(0, 0, 0);
  private static final Config STAYS_OPEN = new Config(1, Long.MAX_VALUE, 0);

  /** The adapter's class. */
  @Param({
    "dev.toolhealth.tck.reference.ReferenceAdapter",
    "dev.toolhealth.tck.locking.LockingAdapter"
  })
  public String subject;

  /** How the tool is reached. */
  @Param public Access access;

  private Handle healthy;
  private Handle failing;
  private Handle open;

  /** Puts a tool into each of the states. */
  @Setup
  public void createTools() {
    Adapter adapter = Adapters.load(subject, Operations.class.getClassLoader());
    healthy = tool(adapter, Config.DEFAULT);
    failing = tool(adapter, NEVER_TRIPS);
    open = tool(adapter, STAYS_OPEN);
    open.recordFailure(nanos);
  }

  private Handle tool(Adapter adapter, Config config) {
    return access.to(adapter, adapter.create(config, System::nanoTime), name);
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
    if (mix.nextFails()) {
      failing.recordFailure(nanos);
    } else {
      failing.recordSuccess(nanos);
    }
  }

  @Benchmark
  public boolean allowRequestClosed(Answers answers) {
    return answers.expect(true, healthy.allowRequest());
  }

  @Benchmark
  public boolean allowRequestRefused(Answers answers) {
    return answers.expect(false, open.allowRequest());
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

    boolean nextFails() {
      calls = calls == 9 ? 0 : calls + 1;
      return calls == 0;
    }
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends Operations {}

  /** Two threads that share the tool. */
  @Threads(2)
  public static class Shared extends Operations {}
}

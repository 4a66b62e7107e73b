package dev.toolhealth.jmh;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Threads;

/** The operations on a tool that is OPEN, long before its cooldown has elapsed. */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class WhileOpen extends SubjectTiming {
  private static final Config STAYS_OPEN = new Config(1, TimeUnit.DAYS.toNanos(1), 0);

  /** How long it may take until a failure has tripped: some look at their counts now and then. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);

  private Handle open;

  /** Has a tool fail until it is refused. */
  @Setup
  public void open() {
    open = tool(STAYS_OPEN);
    long start = System.nanoTime();
    do {
      open.recordFailure(nanos);
    } while (open.allowRequest() && System.nanoTime() - start < PATIENCE);
  }

  @Benchmark
  public boolean allowRequestRefused(Operations.Answers answers) {
    return answers.expect(false, open.allowRequest());
  }

  /** A flood of failures: of calls that were under way when the breaker tripped. */
  @Benchmark
  public void recordFailureWhileOpen() {
    open.recordFailure(nanos);
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends WhileOpen {}

  /** Two threads that share the tool. */
  @Threads(2)
  public static class Shared extends WhileOpen {}
}

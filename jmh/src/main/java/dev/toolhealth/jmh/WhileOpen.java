package dev.toolhealth.jmh;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Threads;

/** The operations on an OPEN tool, long before the cooldown elapses. */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class WhileOpen extends SubjectTiming {
  private static final Config STAYS_OPEN = new Config(1, TimeUnit.DAYS.toNanos(1), 0);

  /** The time limit for the trip: some subjects check their counts only now and then. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(3);

  private Handle open;

  /** Records failures until the tool is refused or the time limit is reached. */
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

  /** Measures failures of calls that were running when the breaker tripped. */
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

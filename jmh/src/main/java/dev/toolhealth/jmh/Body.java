package dev.toolhealth.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/** A tool's own work, without a breaker: the baseline for {@link Calls}. */
@Threads(1)
public class Body extends Timing {

  @Benchmark
  public void body(Work work) {
    work.run();
  }

  /** Measures the body and the two clock reads that time the call. */
  @Benchmark
  public long timedBody(Work work) {
    long start = System.nanoTime();
    work.run();
    return System.nanoTime() - start;
  }

  /**
   * Work for the processor that shares nothing and allocates nothing: a calibrated number of JMH's
   * tokens per microsecond.
   */
  @State(Scope.Benchmark)
  public static class Work {
    /**
     * The system property for the number of tokens per microsecond. If the property is not set,
     * every fork calibrates for itself, and the bodies of different forks differ a little.
     */
    static final String TOKENS_PER_MICRO = "toolhealth.tokensPerMicro";

    private static final long SOME = 100_000;

    /** The duration of the body in microseconds. */
    @Param({"0", "1", "10", "100"})
    public int micros;

    private long tokens;

    /** Converts the microseconds into tokens. */
    @Setup
    public void calibrate() {
      String given = System.getProperty(TOKENS_PER_MICRO);
      tokens = Math.round(micros * (given == null ? tokensPerMicro() : Double.parseDouble(given)));
    }

    void run() {
      Blackhole.consumeCPU(tokens);
    }

    /** Returns the figure of the fastest of many tries, which was the least disturbed. */
    static double tokensPerMicro() {
      long shortest = Long.MAX_VALUE;
      for (int i = 0; i < 300; i++) {
        long start = System.nanoTime();
        Blackhole.consumeCPU(SOME);
        shortest = Math.min(shortest, System.nanoTime() - start);
      }
      return SOME * 1_000.0 / shortest;
    }
  }
}

package dev.toolhealth.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/** What a tool does, without anything around it: what {@link Calls} are to be compared with. */
@Threads(1)
public class Body extends Timing {

  @Benchmark
  public void body(Work work) {
    work.run();
  }

  /** The body, and the two looks at the clock that it takes to know how long it took. */
  @Benchmark
  public long timedBody(Work work) {
    long start = System.nanoTime();
    work.run();
    return System.nanoTime() - start;
  }

  /**
   * Work for the processor that shares nothing and allocates nothing: JMH's tokens, so and so many
   * for a microsecond.
   */
  @State(Scope.Benchmark)
  public static class Work {
    /**
     * The property that says how many tokens last a microsecond. Without it each fork finds out by
     * itself, and the bodies of different forks differ a little.
     */
    static final String TOKENS_PER_MICRO = "toolhealth.tokensPerMicro";

    private static final long SOME = 100_000;

    /** How long the body takes. */
    @Param({"0", "1", "10", "100"})
    public int micros;

    private long tokens;

    /** Translates the microseconds. */
    @Setup
    public void calibrate() {
      String given = System.getProperty(TOKENS_PER_MICRO);
      tokens = Math.round(micros * (given == null ? tokensPerMicro() : Double.parseDouble(given)));
    }

    void run() {
      Blackhole.consumeCPU(tokens);
    }

    /** The shortest of many times is the one that nothing came between. */
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

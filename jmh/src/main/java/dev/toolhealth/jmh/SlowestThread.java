package dev.toolhealth.jmh;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Says how much of its fair share of the calls the slowest thread got, in per cent: 100 if all got
 * the same. JMH keeps what each thread measured, so nothing has to be counted in the benchmark.
 *
 * <p>It says nothing of one thread alone, of threads with different roles, and of modes that do not
 * measure how fast a thread is.
 */
public final class SlowestThread implements InternalProfiler {
  static final String LABEL = "slowestThread";

  /** Creates the profiler; JMH does. */
  public SlowestThread() {}

  @Override
  public String getDescription() {
    return "How much of its fair share of the calls the slowest thread got";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {}

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    boolean alike = benchmark.getThreadGroups().length == 1 && benchmark.getThreads() > 1;
    if (!alike || iteration.getType() != IterationType.MEASUREMENT) {
      return List.of();
    }
    Collection<? extends Result<?>> threads = threads(result);
    return switch (benchmark.getMode()) {
      case AverageTime -> share(threads, SlowestThread::speedByTime);
      case Throughput -> share(threads, Result::getScore);
      default -> List.of();
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // JMH's own types are raw
  private static Collection<? extends Result<?>> threads(IterationResult result) {
    return (Collection) result.getRawPrimaryResults();
  }

  static double speedByTime(Result<?> thread) {
    return 1 / thread.getScore();
  }

  /** All have run for the same time, so their speeds are as their numbers of calls. */
  static List<ScalarResult> share(
      Collection<? extends Result<?>> threads, ToDoubleFunction<Result<?>> speed) {
    double[] speeds = threads.stream().mapToDouble(speed).sorted().toArray();
    double mean = Arrays.stream(speeds).average().orElseThrow();
    return List.of(new ScalarResult(LABEL, 100 * speeds[0] / mean, "%", AggregationPolicy.AVG));
  }
}

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
 * A profiler for the slowest thread's share of the calls, in per cent of a fair share: 100 if all
 * threads made the same number of calls. JMH keeps each thread's result, so the benchmark does not
 * have to count anything.
 *
 * <p>The profiler reports nothing for a single thread, for threads with different roles, and in
 * modes that do not measure a thread's speed.
 */
public final class SlowestThread implements InternalProfiler {
  static final String LABEL = "slowestThread";

  /** Creates the profiler. JMH calls this constructor. */
  public SlowestThread() {}

  @Override
  public String getDescription() {
    return "The slowest thread's share of the calls, in per cent of a fair share";
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

  /** Returns the share. All threads run for the same time, so calls are proportional to speed. */
  static List<ScalarResult> share(
      Collection<? extends Result<?>> threads, ToDoubleFunction<Result<?>> speed) {
    double[] speeds = threads.stream().mapToDouble(speed).sorted().toArray();
    double mean = Arrays.stream(speeds).average().orElseThrow();
    return List.of(new ScalarResult(LABEL, 100 * speeds[0] / mean, "%", AggregationPolicy.AVG));
  }
}

package dev.toolhealth.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.jmh.peers.ArmeriaAdapter;
import dev.toolhealth.jmh.peers.FailsafeAdapter;
import dev.toolhealth.jmh.peers.PekkoAdapter;
import dev.toolhealth.jmh.peers.Resilience4jAdapter;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment. The times mean nothing; that each one works is the point. */
class SmokeTest {
  private static final List<Class<?>> PEERS =
      List.of(
          Resilience4jAdapter.class,
          FailsafeAdapter.class,
          ArmeriaAdapter.class,
          PekkoAdapter.class);

  private static Collection<RunResult> results = List.of();

  @BeforeAll
  static void runAll() throws RunnerException {
    results = new Runner(briefly().build()).run();
  }

  private static ChainedOptionsBuilder briefly() {
    return new OptionsBuilder()
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(1))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
  }

  @Test
  void everyBenchmarkRunsWithEveryParameter() {
    List<String> expected = new ArrayList<>();
    for (Class<?> type : List.of(Baselines.Alone.class, Baselines.Shared.class)) {
      benchmarks(type).forEach(expected::add);
    }
    for (Class<?> type : List.of(Operations.Alone.class, Operations.Shared.class)) {
      for (Class<?> subject : List.of(ReferenceAdapter.class, LockingAdapter.class)) {
        for (Access access : Access.values()) {
          benchmarks(type)
              .map(name -> name + " " + subject.getName() + " " + access)
              .forEach(expected::add);
        }
      }
    }
    assertThat(results)
        .extracting(SmokeTest::title)
        .containsExactlyInAnyOrderElementsOf(expected)
        .hasSize(64);
  }

  private static Stream<String> benchmarks(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> method.isAnnotationPresent(Benchmark.class))
        .map(Method::getName)
        .map(name -> type.getCanonicalName() + "." + name);
  }

  private static String title(RunResult result) {
    BenchmarkParams params = result.getParams();
    return params.getParamsKeys().isEmpty()
        ? params.getBenchmark()
        : params.getBenchmark()
            + " "
            + params.getParam("subject")
            + " "
            + params.getParam("access");
  }

  @Test
  void aloneMeansOneThreadAndSharedTwo() {
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      assertThat(params.getThreads()).isEqualTo(params.getBenchmark().contains(".Alone.") ? 1 : 2);
    }
  }

  @Test
  void gatesAnswerAsTheirBenchmarksSay() {
    assertThat(unexpected(results)).hasSize(26).containsOnly(0.0);
  }

  @Test
  void aSubjectThatAnswersOtherwiseIsSeen() throws RunnerException {
    Collection<RunResult> contrary =
        new Runner(
                briefly()
                    .include("Operations.*allow")
                    .param("subject", Contrary.class.getName())
                    .build())
            .run();
    assertThat(unexpected(contrary)).hasSize(12).allMatch(count -> count > 0);
  }

  @Test
  void everyPeerCanBeTimed() throws RunnerException {
    Collection<RunResult> peers =
        new Runner(
                briefly()
                    .include("Operations.*(recordSuccess|allowRequestClosed)")
                    .param("subject", PEERS.stream().map(Class::getName).toArray(String[]::new))
                    .build())
            .run();
    assertThat(peers).hasSize(32);
    assertThat(unexpected(peers)).hasSize(16).containsOnly(0.0);
  }

  private static List<Double> unexpected(Collection<RunResult> results) {
    return results.stream()
        .filter(result -> result.getSecondaryResults().containsKey("unexpected"))
        .map(result -> result.getSecondaryResults().get("unexpected").getScore())
        .toList();
  }

  /** Refuses whom it should let through, and the other way round. */
  public static final class Contrary implements Adapter {
    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      Subject sane = new LockingAdapter().create(config, nanoClock);
      return new Subject() {
        @Override
        public boolean allowRequest(String tool) {
          return !sane.allowRequest(tool);
        }

        @Override
        public void recordSuccess(String tool, long nanos) {
          sane.recordSuccess(tool, nanos);
        }

        @Override
        public void recordFailure(String tool, long nanos) {
          sane.recordFailure(tool, nanos);
        }
      };
    }
  }
}

package dev.toolhealth.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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

/** A smoke test that runs every benchmark briefly. The measured times mean nothing. */
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
    System.setProperty(Body.Work.TOKENS_PER_MICRO, "1");
    try {
      results = new Runner(briefly().addProfiler(SlowestThread.class).build()).run();
    } finally {
      System.clearProperty(Body.Work.TOKENS_PER_MICRO);
    }
  }

  private static ChainedOptionsBuilder briefly() {
    return new OptionsBuilder()
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(1))
        .param("tools", "100")
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
  }

  @Test
  void everyBenchmarkRunsWithEveryParameter() {
    List<String> plain = List.of("");
    List<String> bodies = List.of(" micros=0", " micros=1", " micros=10", " micros=100");
    List<String> subjects =
        Stream.of(ReferenceAdapter.class, LockingAdapter.class)
            .map(subject -> " subject=" + subject.getName())
            .toList();
    List<String> accesses = List.of(" access=HANDLE", " access=NAME");
    List<String> expected = new ArrayList<>();
    for (Class<?> type :
        List.of(
            Baselines.Alone.class,
            Baselines.Shared.class,
            Guarded.Alone.class,
            Guarded.Shared.class)) {
      expected.addAll(times(benchmarks(type), plain));
    }
    expected.addAll(times(benchmarks(Body.class), bodies));
    for (Class<?> type :
        List.of(
            Operations.Alone.class,
            Operations.Shared.class,
            WhileOpen.Alone.class,
            WhileOpen.Shared.class,
            ManyTools.Alone.class,
            ManyTools.Shared.class)) {
      expected.addAll(times(times(benchmarks(type), accesses), subjects));
    }
    expected.addAll(times(times(times(benchmarks(Calls.class), accesses), bodies), subjects));
    List<String> group = List.of(SummaryBesideWriter.class.getName() + ".summaryBesideWriter");
    expected.addAll(times(times(group, accesses), subjects));
    expected.addAll(times(benchmarks(Footprint.class), subjects));
    expected.addAll(times(times(benchmarks(FirstSight.class), subjects), List.of(" tools=100")));
    assertThat(results)
        .extracting(SmokeTest::title)
        .containsExactlyInAnyOrderElementsOf(expected)
        .hasSize(130);
  }

  private static List<String> benchmarks(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(method -> method.isAnnotationPresent(Benchmark.class))
        .map(Method::getName)
        .map(name -> type.getCanonicalName() + "." + name)
        .toList();
  }

  private static List<String> times(List<String> names, List<String> suffixes) {
    return names.stream().flatMap(name -> suffixes.stream().map(name::concat)).toList();
  }

  private static String title(RunResult result) {
    BenchmarkParams params = result.getParams();
    return params.getParamsKeys().stream()
        .sorted()
        .map(key -> " " + key + "=" + params.getParam(key))
        .collect(Collectors.joining("", params.getBenchmark(), ""));
  }

  @Test
  void aloneMeansOneThreadAndSharedTwo() {
    for (RunResult result : results) {
      BenchmarkParams params = result.getParams();
      boolean several = result.getParams().getBenchmark().matches(".*[.](Shared|Summary).*");
      assertThat(params.getThreads()).as(params.getBenchmark()).isEqualTo(several ? 2 : 1);
    }
  }

  @Test
  void gatesAnswerAsTheirBenchmarksSay() {
    assertThat(unexpected(results)).hasSize(58).containsOnly(0.0);
  }

  @Test
  void aSubjectThatAnswersOtherwiseIsSeen() throws RunnerException {
    Collection<RunResult> contrary =
        new Runner(
                briefly()
                    .include("(Operations|WhileOpen).*allow")
                    .param("subject", Contrary.class.getName())
                    .build())
            .run();
    assertThat(unexpected(contrary)).hasSize(16).allMatch(count -> count > 0);
  }

  @Test
  void everyPeerCanBeTimed() throws RunnerException {
    Collection<RunResult> peers =
        new Runner(
                briefly()
                    .include("Operations")
                    .include("WhileOpen.Alone.allowRequestRefused")
                    .param("access", "HANDLE")
                    .param("subject", PEERS.stream().map(Class::getName).toArray(String[]::new))
                    .build())
            .run();
    assertThat(peers).hasSize(52);
    assertThat(unexpected(peers)).hasSize(28).containsOnly(0.0);
  }

  /** Threads with different roles have no fair share, and neither has a single thread. */
  @Test
  void theSlowestThreadIsKnownWhereThreadsAreAlike() {
    for (RunResult result : results) {
      Optional<Double> percent =
          Optional.ofNullable(result.getSecondaryResults().get(SlowestThread.LABEL))
              .map(slowest -> slowest.getScore());
      if (result.getParams().getBenchmark().contains(".Shared.")) {
        assertThat(percent).hasValueSatisfying(value -> assertThat(value).isBetween(0.0, 100.1));
      } else {
        assertThat(percent).isEmpty();
      }
    }
  }

  @Test
  void theSummaryIsForThoseWhoHaveOne() {
    assertThatThrownBy(
            () ->
                new Runner(
                        briefly()
                            .include("SummaryBesideWriter")
                            .param("subject", Contrary.class.getName())
                            .build())
                    .run())
        .hasStackTraceContaining("does not declare [SUMMARY, SCORE]");
  }

  private static List<Double> unexpected(Collection<RunResult> results) {
    return results.stream()
        .filter(result -> result.getSecondaryResults().containsKey("unexpected"))
        .map(result -> result.getSecondaryResults().get("unexpected").getScore())
        .toList();
  }

  /** A subject with an inverted gate. */
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

package dev.toolhealth.jmh;

import dev.toolhealth.jmh.peers.ArmeriaAdapter;
import dev.toolhealth.jmh.peers.FailsafeAdapter;
import dev.toolhealth.jmh.peers.PekkoAdapter;
import dev.toolhealth.jmh.peers.Resilience4jAdapter;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The plan of the comparison: the combinations of benchmark and subject that readers look at. The
 * comparison runs in rounds. Each round starts one fork of every benchmark that takes part, so a
 * machine that slows down does so for all benchmarks.
 */
final class Plan {
  private static final String REFERENCE = name(ReferenceAdapter.class);
  private static final String LOCKING = name(LockingAdapter.class);
  private static final String RESILIENCE4J = name(Resilience4jAdapter.class);

  /** Counts in time windows, so figures mean nothing until the first window has turned over. */
  private static final String ARMERIA = name(ArmeriaAdapter.class);

  private static final List<String> MEASURING_PEERS =
      List.of(RESILIENCE4J, name(FailsafeAdapter.class), ARMERIA);
  private static final List<String> PEERS =
      Stream.concat(MEASURING_PEERS.stream(), Stream.of(name(PekkoAdapter.class))).toList();

  /** The time that a JVM takes to start and to stop. */
  private static final Duration STARTING = Duration.ofMillis(900);

  private static final int ARMERIAS_WARMUP = 2;

  private final List<String> own;
  private final Set<String> summarizing;
  private final boolean quick;

  /**
   * Creates a plan.
   *
   * @param own the user's subjects
   * @param summarizing the user's subjects that have a summary
   * @param quick whether to run everything very briefly, as a check
   */
  Plan(List<String> own, Set<String> summarizing, boolean quick) {
    this.own = own;
    this.summarizing = summarizing;
    this.quick = quick;
  }

  private static String name(Class<? extends Adapter> adapter) {
    return adapter.getName();
  }

  /** Returns all parts, in the order in which a round runs them. */
  List<Part> parts() {
    Effort thorough = new Effort(5, 2, 2);
    Effort usual = new Effort(3, 1, 1);
    Effort patient = new Effort(3, 5, 2);
    Effort once = new Effort(1, 0, 1);
    List<String> handle = List.of("HANDLE");
    List<String> name = List.of("NAME");
    List<String> both = List.of("HANDLE", "NAME");
    List<String> none = List.of();
    List<String> reference = with(List.of(REFERENCE));
    List<String> all = with(Stream.concat(Stream.of(REFERENCE), PEERS.stream()).toList());
    List<String> whole =
        with(Stream.concat(Stream.of(REFERENCE, LOCKING), PEERS.stream()).toList());

    List<Part> parts = new ArrayList<>();
    parts.add(
        part(
            "bars",
            in("Baselines.Alone atomicAdd twoAtomicAdds clockRead acquireReadByHandle"),
            none,
            none,
            thorough));
    parts.add(
        part(
            "baselines",
            in(
                "Baselines.Alone emptyCall longAdderPair mapLookup acquireRead",
                "Baselines.Shared atomicAdd twoAtomicAdds longAdderPair mapLookup clockRead",
                "Baselines.Shared acquireReadByHandle"),
            none,
            none,
            usual));
    parts.addAll(
        warmed(
            part(
                "bars",
                in(
                    "Operations.Alone recordSuccess recordMixed recordFailure",
                    "Operations.Alone allowRequestClosed allowAndRecord",
                    "Operations.Shared recordSuccess recordMixed"),
                all,
                handle,
                thorough)));
    // Most subjects refuse for the price of a clock read, and differ by less than their forks do.
    parts.addAll(
        warmed(
            part(
                "bars",
                in("WhileOpen.Alone allowRequestRefused"),
                all,
                handle,
                new Effort(9, 2, 2))));
    parts.add(part("bars", in("Operations.Alone allowAndRecord"), reference, name, thorough));
    parts.add(part("bars", in("Footprint weigh"), whole, none, once));
    parts.addAll(
        warmed(
            part(
                "operations",
                in(
                    "Operations.Alone allowAndRecordMixed",
                    "Operations.Shared recordFailure allowRequestClosed",
                    "Operations.Shared allowAndRecord allowAndRecordMixed",
                    "WhileOpen.Alone recordFailureWhileOpen",
                    "WhileOpen.Shared allowRequestRefused recordFailureWhileOpen"),
                all,
                handle,
                usual)));
    parts.add(
        part(
            "operations",
            in(
                "Operations.Alone recordSuccess recordMixed allowRequestClosed allowAndRecord",
                "Operations.Shared recordSuccess recordMixed allowRequestClosed allowAndRecord"),
            List.of(LOCKING),
            handle,
            usual));
    parts.add(
        part(
            "operations",
            in(
                "Operations.Alone recordSuccess allowRequestClosed",
                "Operations.Shared allowAndRecord"),
            reference,
            name,
            usual));
    parts.addAll(
        warmed(part("operations", in("Operations.Alone allowAndRecord"), PEERS, name, usual)));
    parts.add(
        part(
                "tails",
                in(
                    "Operations.Shared recordSuccess recordMixed recordFailure allowAndRecord",
                    "WhileOpen.Shared allowRequestRefused recordFailureWhileOpen"),
                whole,
                handle,
                new Effort(1, 2, 2))
            .in(Mode.SampleTime));
    parts.add(
        part(
            "guarded",
            in(
                "Guarded.Alone permit permitRefused dispatch dispatchRefused",
                "Guarded.Shared permit permitRefused dispatch dispatchRefused"),
            none,
            none,
            patient));
    Map<String, List<String>> bodies = Map.of("micros", List.of("0", "1", "10", "100"));
    parts.add(part("bodies", in("Body body timedBody"), none, none, usual).by(bodies));
    parts.add(part("bodies", in("Calls call"), reference, both, usual).by(bodies));
    parts.add(part("bodies", in("Calls call"), List.of(RESILIENCE4J), handle, usual).by(bodies));
    List<String> many =
        in("ManyTools.Alone allowAndRecordOneOfMany", "ManyTools.Shared allowAndRecordOneOfMany");
    parts.add(part("many", many, reference, both, usual));
    parts.addAll(warmed(part("many", many, MEASURING_PEERS, handle, usual)));
    parts.add(
        part(
            "summary",
            in("SummaryBesideWriter summaryBesideWriter"),
            Stream.concat(Stream.of(REFERENCE, LOCKING), own.stream().filter(summarizing::contains))
                .toList(),
            handle,
            usual));
    Map<String, List<String>> names = Map.of("tools", List.of(quick ? "10000" : "1000000"));
    parts.add(
        part("memory", in("FirstSight firstSights"), whole, none, new Effort(2, 1, 1))
            .by(names)
            .on(FirstSight.HEAP));
    parts.add(
        part("memory", in("FirstSight firstSightsWeighed"), whole, none, once)
            .by(names)
            .on(FirstSight.HEAP));
    if (VirtualThreads.exist()) {
      parts.add(
          part(
                  "virtual",
                  in(
                      "Operations.Alone recordSuccess",
                      "Operations.Shared recordSuccess recordMixed"),
                  reference,
                  handle,
                  usual)
              .on(VirtualThreads.OPTIONS));
    }
    return parts;
  }

  private List<String> with(List<String> subjects) {
    return Stream.concat(subjects.stream(), own.stream()).distinct().toList();
  }

  /** Expands lines that name a class and its methods into benchmarks. */
  private static List<String> in(String... lines) {
    return Stream.of(lines)
        .map(line -> line.split(" "))
        .flatMap(words -> Stream.of(words).skip(1).map(method -> words[0] + "." + method))
        .toList();
  }

  private Part part(
      String name,
      List<String> benchmarks,
      List<String> subjects,
      List<String> accesses,
      Effort effort) {
    return new Part(
        name, benchmarks, subjects, accesses, Map.of(), effort, Mode.All, List.of(), quick);
  }

  /** Splits a part so that Armeria warms up for longer. */
  private static List<Part> warmed(Part part) {
    return Stream.of(
            part.of(subject -> !subject.equals(ARMERIA), 0),
            part.of(subject -> subject.equals(ARMERIA), ARMERIAS_WARMUP))
        .filter(some -> !some.subjects.isEmpty())
        .toList();
  }

  /**
   * The effort for a part.
   *
   * @param rounds the number of rounds, with one fork each
   * @param warmups the warm-up of a fork, in seconds or single shots
   * @param iterations the measurement of a fork, in seconds or single shots
   */
  record Effort(int rounds, int warmups, int iterations) {}

  /** Benchmarks that run with the same parameters and the same effort. */
  record Part(
      String name,
      List<String> benchmarks,
      List<String> subjects,
      List<String> accesses,
      Map<String, List<String>> params,
      Effort effort,
      Mode mode,
      List<String> options,
      boolean quick) {

    private Part in(Mode other) {
      return new Part(name, benchmarks, subjects, accesses, params, effort, other, options, quick);
    }

    private Part by(Map<String, List<String>> values) {
      return new Part(name, benchmarks, subjects, accesses, values, effort, mode, options, quick);
    }

    private Part on(String... jvm) {
      return new Part(
          name, benchmarks, subjects, accesses, params, effort, mode, List.of(jvm), quick);
    }

    private Part of(Predicate<String> some, int moreWarmups) {
      return new Part(
          name,
          benchmarks,
          subjects.stream().filter(some).toList(),
          accesses,
          params,
          new Effort(effort.rounds, effort.warmups + moreWarmups, effort.iterations),
          mode,
          options,
          quick);
    }

    int rounds() {
      return quick ? 1 : effort.rounds;
    }

    /** Returns the number of results of a round. */
    int size() {
      int size = benchmarks.size() * Math.max(1, subjects.size()) * Math.max(1, accesses.size());
      for (List<String> values : params.values()) {
        size *= values.size();
      }
      return size;
    }

    /** Returns about how long a round takes. */
    Duration duration() {
      Duration measuring =
          quick ? Duration.ofMillis(200) : Duration.ofSeconds(effort.warmups + effort.iterations);
      return measuring.plus(STARTING).multipliedBy(size());
    }

    /** Returns JMH's options for a round. */
    ChainedOptionsBuilder jmh() {
      TimeValue time = quick ? TimeValue.milliseconds(100) : TimeValue.seconds(1);
      ChainedOptionsBuilder jmh =
          new OptionsBuilder()
              .forks(1)
              .warmupIterations(quick ? Math.min(1, effort.warmups) : effort.warmups)
              .warmupTime(time)
              .measurementIterations(quick ? 1 : effort.iterations)
              .measurementTime(time)
              .addProfiler(GCProfiler.class)
              .addProfiler(SlowestThread.class);
      benchmarks.forEach(b -> jmh.include(Pattern.quote("." + b) + "$"));
      params.forEach((key, values) -> jmh.param(key, values.toArray(String[]::new)));
      if (!subjects.isEmpty()) {
        jmh.param("subject", subjects.toArray(String[]::new));
      }
      if (!accesses.isEmpty()) {
        jmh.param("access", accesses.toArray(String[]::new));
      }
      if (mode != Mode.All) {
        jmh.mode(mode);
      }
      return jmh;
    }
  }

  /** Returns the names of all parts. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    parts().forEach(part -> names.add(part.name()));
    return names;
  }
}

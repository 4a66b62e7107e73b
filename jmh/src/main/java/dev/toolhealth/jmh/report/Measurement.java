package dev.toolhealth.jmh.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

/**
 * What came of one benchmark with one set of parameters. Its figure is the median over the forks.
 *
 * @param benchmark the class and method, such as {@code Operations.Alone.recordSuccess}
 * @param mode JMH's short name of the mode
 * @param params JMH's parameters, but for the subject and the access
 * @param subject the subject's name, or nothing
 * @param access how the tool was reached, or nothing
 * @param threads how many threads there were
 * @param virtual whether they were virtual threads
 * @param unit the unit of the figures
 * @param forks the score of each fork, in ascending order
 * @param counted what else was counted or measured, in the mean; {@link #UNEXPECTED} in sum
 * @param percentiles the distribution, by its percentiles
 */
record Measurement(
    String benchmark,
    String mode,
    Map<String, String> params,
    String subject,
    String access,
    int threads,
    boolean virtual,
    String unit,
    List<Double> forks,
    Map<String, Double> counted,
    Map<String, Double> percentiles) {
  static final String UNEXPECTED = "unexpected";
  static final String SAMPLE = "sample";

  /** Bytes allocated by a call. */
  static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final String OURS = "dev.toolhealth.";
  private static final String BENCHMARKS = OURS + "jmh.";
  private static final String VIRTUAL_THREADS = BENCHMARKS + "VirtualThreads";

  /** Reads one of the objects in JMH's JSON; one with several roles becomes several. */
  static List<Measurement> of(JsonNode json) {
    JsonNode primary = json.path("primaryMetric");
    String unit = primary.path("scoreUnit").asText();
    // A distribution has its percentiles there too.
    boolean mayHaveRoles = !json.path("mode").asText().equals(SAMPLE);
    Map<String, Double> counted = new TreeMap<>();
    List<Measurement> roles = new ArrayList<>();
    for (Map.Entry<String, JsonNode> secondary : json.path("secondaryMetrics").properties()) {
      String name = secondary.getKey();
      JsonNode metric = secondary.getValue();
      if (mayHaveRoles && metric.path("scoreUnit").asText().equals(unit)) {
        String group = name(json);
        String type = group.substring(0, group.lastIndexOf('.') + 1);
        roles.add(of(json, type + name, unit, metric, Map.of()));
      } else {
        DoubleStream all = numbers(metric.path("rawData"));
        counted.put(name, name.equals(UNEXPECTED) ? all.sum() : all.average().orElse(Double.NaN));
      }
    }
    return roles.isEmpty() ? List.of(of(json, name(json), unit, primary, counted)) : roles;
  }

  private static Measurement of(
      JsonNode json, String name, String unit, JsonNode metric, Map<String, Double> counted) {
    Map<String, String> params = new TreeMap<>();
    json.path("params").properties().forEach(p -> params.put(p.getKey(), p.getValue().asText()));
    Map<String, Double> percentiles = new TreeMap<>();
    metric
        .path("scorePercentiles")
        .properties()
        .forEach(p -> percentiles.put(p.getKey(), p.getValue().asDouble()));
    String subject = params.remove("subject");
    String access = params.remove("access");
    return new Measurement(
        name,
        json.path("mode").asText(),
        params,
        subject == null ? "" : label(subject),
        access == null ? "" : access,
        json.path("threads").asInt(),
        json.path("jvmArgs").toString().contains(VIRTUAL_THREADS),
        unit,
        forks(metric),
        counted,
        percentiles);
  }

  private static String name(JsonNode json) {
    return json.path("benchmark").asText().replace(BENCHMARKS, "");
  }

  /** The class without its package; of the adapters that come with this, the library. */
  private static String label(String subject) {
    String simple = subject.substring(subject.lastIndexOf('.') + 1);
    return subject.startsWith(OURS) ? simple.replaceFirst("Adapter$", "") : simple;
  }

  private static List<Double> forks(JsonNode metric) {
    List<Double> forks =
        StreamSupport.stream(metric.path("rawData").spliterator(), false)
            .map(fork -> numbers(fork).average().orElse(Double.NaN))
            .sorted()
            .toList();
    // A distribution has no raw data: there are too many.
    return forks.isEmpty() ? List.of(metric.path("score").asDouble()) : forks;
  }

  private static DoubleStream numbers(JsonNode json) {
    return json.isContainerNode()
        ? StreamSupport.stream(json.spliterator(), false).flatMapToDouble(Measurement::numbers)
        : DoubleStream.of(json.asDouble());
  }

  /** The method, without its class. */
  String operation() {
    return benchmark.substring(benchmark.lastIndexOf('.') + 1);
  }

  double median() {
    return (forks.get((forks.size() - 1) / 2) + forks.get(forks.size() / 2)) / 2;
  }

  double lowest() {
    return forks.get(0);
  }

  double highest() {
    return forks.get(forks.size() - 1);
  }

  /** The 99.9th percentile. */
  double slowestOfThousand() {
    return percentiles.getOrDefault("99.9", Double.NaN);
  }

  /** Whether a subject did what the benchmark says. */
  boolean asExpected() {
    return counted.getOrDefault(UNEXPECTED, 0.0) == 0;
  }
}

package dev.toolhealth.jmh.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

/**
 * The result of a benchmark with given parameters. The figure is the median over the forks.
 *
 * @param benchmark the class and method, such as {@code Operations.Alone.recordSuccess}
 * @param mode JMH's short name of the mode
 * @param params JMH's parameters, without the subject and the access
 * @param subject the subject's name, or an empty string
 * @param access the access to the tool, or an empty string
 * @param threads the number of threads
 * @param virtual whether the threads were virtual
 * @param unit the unit of the figures
 * @param forks the score of each fork, in ascending order
 * @param counted the means of all other counts, except the sum for {@link #UNEXPECTED}
 * @param percentiles the distribution, by percentile
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

  /** The bytes that a call allocates. */
  static final String ALLOCATED = "gc.alloc.rate.norm";

  private static final String OURS = "dev.toolhealth.";
  private static final String BENCHMARKS = OURS + "jmh.";
  private static final String VIRTUAL_THREADS = BENCHMARKS + "VirtualThreads";

  /** Reads an object of JMH's JSON. An object with several roles becomes several measurements. */
  static List<Measurement> of(JsonNode json) {
    JsonNode primary = json.path("primaryMetric");
    String unit = primary.path("scoreUnit").asText();
    // In a distribution, the secondary metrics contain its percentiles as well.
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

  /** Returns the class name without its package, or the library's name for our own adapters. */
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
    // JMH writes no raw data for a distribution, because there are too many values.
    return forks.isEmpty() ? List.of(metric.path("score").asDouble()) : forks;
  }

  private static DoubleStream numbers(JsonNode json) {
    return json.isContainerNode()
        ? StreamSupport.stream(json.spliterator(), false).flatMapToDouble(Measurement::numbers)
        : DoubleStream.of(json.asDouble());
  }

  /** Returns the method's name, without its class. */
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

  /** Returns the 99.9th percentile. */
  double slowestOfThousand() {
    return percentiles.getOrDefault("99.9", Double.NaN);
  }

  /** Returns whether the subject gave only expected answers. */
  boolean asExpected() {
    return counted.getOrDefault(UNEXPECTED, 0.0) == 0;
  }
}

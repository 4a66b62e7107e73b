package dev.toolhealth.jmh.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The results of one JVM.
 *
 * @param label a short name for it, such as {@code jdk17}
 * @param facts what else is known of it: the machine, the JVM, the commit
 * @param measurements what was measured
 */
public record Run(String label, Map<String, String> facts, List<Measurement> measurements) {
  /** The key in the first object of JMH's JSON under which the facts are. */
  public static final String FACTS = "run";

  /** The fact that names the run. */
  public static final String LABEL = "label";

  /**
   * Reads a file.
   *
   * @param file JMH's JSON, with the facts in it or without
   * @return its contents
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it has other contents
   */
  public static Run read(Path file) throws IOException {
    try {
      return of(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads results.
   *
   * @param json JMH's JSON, with the facts in it or without
   * @return its contents
   * @throws IOException if it is not JSON
   * @throws IllegalArgumentException if it has other contents
   */
  public static Run of(String json) throws IOException {
    JsonNode entries = new ObjectMapper().readTree(json);
    if (!entries.isArray() || !entries.path(0).has("primaryMetric")) {
      throw new IllegalArgumentException("no results of JMH: it must be what -rf json writes");
    }
    Map<String, String> facts = new LinkedHashMap<>();
    List<Measurement> measurements = new ArrayList<>();
    for (JsonNode entry : entries) {
      entry.path(FACTS).properties().forEach(f -> facts.put(f.getKey(), f.getValue().asText()));
      measurements.addAll(Measurement.of(entry));
    }
    JsonNode first = entries.path(0);
    String version = first.path("jdkVersion").asText();
    facts.putIfAbsent("JVM", first.path("vmName").asText() + " " + version);
    String label = facts.remove(LABEL);
    return new Run(
        label == null ? "jdk" + version.split("[.+-]", 2)[0] : label,
        facts,
        List.copyOf(measurements));
  }

  /** An average time with platform threads. */
  Optional<Measurement> find(String operation, String subject, String access, int threads) {
    return times()
        .filter(m -> m.operation().equals(operation))
        .filter(m -> m.subject().equals(subject) && m.access().equals(access))
        .filter(m -> m.threads() == threads)
        .findFirst();
  }

  Optional<Measurement> baseline(String operation, int threads) {
    return find(operation, "", "", threads);
  }

  Stream<Measurement> times() {
    return measurements.stream().filter(m -> m.mode().equals("avgt") && !m.virtual());
  }

  /** The quickest of some subjects, as far as they did what the benchmark says. */
  OptionalDouble best(Predicate<String> subjects, String operation, String access, int threads) {
    return times()
        .filter(m -> m.operation().equals(operation))
        .filter(m -> subjects.test(m.subject()) && m.access().equals(access))
        .filter(m -> m.threads() == threads && m.asExpected())
        .mapToDouble(Measurement::median)
        .min();
  }
}

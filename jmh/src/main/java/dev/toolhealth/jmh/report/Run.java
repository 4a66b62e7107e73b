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
 * @param label a short name, such as {@code jdk17}
 * @param facts the machine, the JVM, the commit, and so on
 * @param measurements the results
 */
public record Run(String label, Map<String, String> facts, List<Measurement> measurements) {
  /** The key for the facts, in the first object of JMH's JSON. */
  public static final String FACTS = "run";

  /** The fact that names the run. */
  public static final String LABEL = "label";

  /**
   * Reads a file.
   *
   * @param file JMH's JSON, with or without facts
   * @return the run
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the file does not contain JMH's results
   */
  public static Run read(Path file) throws IOException {
    try {
      return of(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads results from a string.
   *
   * @param json JMH's JSON, with or without facts
   * @return the run
   * @throws IOException if the string is not JSON
   * @throws IllegalArgumentException if the JSON does not contain JMH's results
   */
  public static Run of(String json) throws IOException {
    JsonNode entries = new ObjectMapper().readTree(json);
    if (!entries.isArray() || !entries.path(0).has("primaryMetric")) {
      throw new IllegalArgumentException("not JMH results, as written by -rf json");
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

  /** Returns an average time, measured with platform threads. */
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

  /** Returns the lowest median of the given subjects, without those with unexpected answers. */
  OptionalDouble best(Predicate<String> subjects, String operation, String access, int threads) {
    return times()
        .filter(m -> m.operation().equals(operation))
        .filter(m -> subjects.test(m.subject()) && m.access().equals(access))
        .filter(m -> m.threads() == threads && m.asExpected())
        .mapToDouble(Measurement::median)
        .min();
  }
}

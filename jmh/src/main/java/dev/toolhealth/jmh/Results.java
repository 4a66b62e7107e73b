package dev.toolhealth.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.toolhealth.jmh.report.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/** The results of all rounds so far, with the forks of each benchmark merged. */
final class Results {
  private final Map<String, RunResult> merged = new LinkedHashMap<>();

  void add(Collection<RunResult> round) {
    for (RunResult result : round) {
      BenchmarkParams params = result.getParams();
      merged.merge(params.id() + params.getJvmArgs(), result, Results::together);
    }
  }

  private static RunResult together(RunResult earlier, RunResult later) {
    List<BenchmarkResult> forks = new ArrayList<>(earlier.getBenchmarkResults());
    forks.addAll(later.getBenchmarkResults());
    return new RunResult(later.getParams(), forks);
  }

  int size() {
    return merged.size();
  }

  /**
   * Writes JMH's JSON, with the facts in the first object. Omits the histograms, which are long and
   * add nothing to the percentiles.
   */
  void write(Path file, Map<String, String> facts) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode entries = mapper.readTree(Json.of(merged.values()));
    int index = 0;
    for (RunResult result : merged.values()) {
      ObjectNode entry = (ObjectNode) entries.path(index);
      // JMH writes the number of forks in one round.
      entry.put("forks", result.getBenchmarkResults().size());
      entry.remove("jvm"); // a local path; the facts name the JVM
      ((ObjectNode) entry.path("primaryMetric")).remove("rawDataHistogram");
      entry.path("secondaryMetrics").forEach(m -> ((ObjectNode) m).remove("rawDataHistogram"));
      index++;
    }
    if (index > 0) {
      ((ObjectNode) entries.path(0)).set(Run.FACTS, mapper.valueToTree(facts));
    }
    Files.writeString(file, mapper.writerWithDefaultPrettyPrinter().writeValueAsString(entries));
  }
}

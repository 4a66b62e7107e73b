package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Setup;

/** A pair of threads: a writer records on a single tool, and a reader summarizes a hundred. */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public class SummaryBesideWriter extends SubjectTiming {
  /** The capabilities that a subject must declare. */
  static final List<Capability> NEEDED = List.of(Capability.SUMMARY, Capability.SCORE);

  private static final int TOOLS = 100;

  private Subject registry;
  private Handle written;

  /** Creates the tools. */
  @Setup
  public void createTools() {
    Adapter adapter = adapter();
    if (!adapter.capabilities().containsAll(NEEDED)) {
      throw new IllegalArgumentException(
          subject + " does not declare " + NEEDED + ": exclude this benchmark for the subject");
    }
    registry = create(adapter, Config.DEFAULT);
    for (int i = 1; i < TOOLS; i++) {
      registry.recordSuccess(name + i, nanos);
    }
    written = access.to(adapter, registry, name);
    written.recordSuccess(nanos);
  }

  @Benchmark
  @Group("summaryBesideWriter")
  @GroupThreads(1)
  public void recordBesideReader() {
    written.recordSuccess(nanos);
  }

  @Benchmark
  @Group("summaryBesideWriter")
  @GroupThreads(1)
  public Map<String, SummaryEntry> healthSummary() {
    return registry.healthSummary();
  }
}

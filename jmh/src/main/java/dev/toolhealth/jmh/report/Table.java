package dev.toolhealth.jmh.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A table of all results of a run: the median over the forks, the lowest and the highest fork, the
 * ratios to two atomic adds and to an acquire read by the same number of threads, and the ratio to
 * the fastest library that also keeps statistics.
 */
public final class Table {
  private static final List<String> HEAD =
      List.of(
          "benchmark",
          "subject",
          "access",
          "with",
          "threads",
          "unit",
          "median",
          "lowest",
          "highest",
          "× two adds",
          "× a read",
          "× best peer",
          "slowest thread %",
          "99.9th percentile",
          "B/op",
          "unexpected");

  private static final int TEXTS = 6;

  private Table() {}

  /**
   * Returns the table of a run.
   *
   * @param run the run
   * @return the table in Markdown
   */
  public static String of(Run run) {
    MarkdownTable table = new MarkdownTable(TEXTS, HEAD);
    run.measurements().forEach(m -> table.row(cells(m, run)));
    return table.toString();
  }

  private static List<String> cells(Measurement m, Run run) {
    return List.of(
        m.benchmark(),
        m.subject(),
        m.access(),
        with(m),
        Integer.toString(m.threads()) + (m.virtual() ? " virtual" : ""),
        m.unit(),
        number(m.median()),
        number(m.lowest()),
        number(m.highest()),
        ratio(m, run.baseline("twoAtomicAdds", m.threads())),
        ratio(m, run.baseline("acquireReadByHandle", m.threads())),
        toBestPeer(m, run),
        counted(m, "slowestThread", 0),
        percentile(m),
        counted(m, Measurement.ALLOCATED, 2),
        counted(m, Measurement.UNEXPECTED, 0));
  }

  private static String with(Measurement m) {
    String params =
        m.params().entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(" "));
    return m.mode().equals(Measurement.SAMPLE) ? "sampling" : params;
  }

  private static String ratio(Measurement m, Optional<Measurement> yardstick) {
    return yardstick
        .filter(other -> m.params().isEmpty())
        .filter(other -> other.mode().equals(m.mode()) && other.unit().equals(m.unit()))
        .map(other -> number(m.median() / other.median()))
        .orElse("");
  }

  private static String toBestPeer(Measurement m, Run run) {
    OptionalDouble best =
        m.mode().equals("avgt") && m.params().isEmpty() && !m.virtual()
            ? run.best(Subjects.MEASURING_PEERS::contains, m.operation(), m.access(), m.threads())
            : OptionalDouble.empty();
    return best.isPresent() ? number(m.median() / best.getAsDouble()) : "";
  }

  private static String counted(Measurement m, String what, int decimals) {
    Double value = m.counted().get(what);
    return value == null ? "" : MarkdownTable.number(value, decimals);
  }

  private static String percentile(Measurement m) {
    return m.mode().equals(Measurement.SAMPLE) ? number(m.slowestOfThousand()) : "";
  }

  private static String number(double value) {
    return MarkdownTable.number(value, 2);
  }
}

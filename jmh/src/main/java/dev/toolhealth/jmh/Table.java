package dev.toolhealth.jmh;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Results in Markdown. A figure is the median over the forks; beside it are the lowest and highest
 * fork, and the ratios to the least that a record and a gate can do, by as many threads in the same
 * run.
 */
final class Table {
  private static final String HEAD =
      """
      | benchmark | subject | access | threads | median | unit \
      | lowest | highest | to two adds | to a read | B/op | unexpected |
      |---|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|
      """;

  private Table() {}

  static String of(Collection<RunResult> results) {
    return results.stream()
        .map(result -> String.join(" | ", cells(result, results)))
        .map(row -> "| " + row + " |")
        .collect(joining("\n", HEAD, ""));
  }

  private static List<String> cells(RunResult result, Collection<RunResult> all) {
    BenchmarkParams params = result.getParams();
    double[] forks = sortedForks(result);
    return List.of(
        params.getBenchmark().replace(Table.class.getPackageName() + ".", ""),
        parameter(params, "subject"),
        parameter(params, "access"),
        Integer.toString(params.getThreads()),
        number(median(forks)),
        result.getPrimaryResult().getScoreUnit(),
        number(forks[0]),
        number(forks[forks.length - 1]),
        ratio(result, "twoAtomicAdds", all),
        ratio(result, "acquireReadByHandle", all),
        secondary(result, "gc.alloc.rate.norm", "%.2f"),
        secondary(result, "unexpected", "%.0f"));
  }

  private static String parameter(BenchmarkParams params, String key) {
    if (!params.getParamsKeys().contains(key)) {
      return "";
    }
    String value = params.getParam(key);
    return value.substring(value.lastIndexOf('.') + 1);
  }

  private static String ratio(RunResult result, String yardstick, Collection<RunResult> all) {
    return all.stream()
        .filter(other -> other.getParams().getBenchmark().endsWith("." + yardstick))
        .filter(other -> other.getParams().getThreads() == result.getParams().getThreads())
        .filter(other -> other.getParams().getMode() == result.getParams().getMode())
        .map(other -> number(median(sortedForks(result)) / median(sortedForks(other))))
        .findFirst()
        .orElse("");
  }

  private static String secondary(RunResult result, String name, String format) {
    Result<?> secondary = result.getSecondaryResults().get(name);
    return secondary == null ? "" : String.format(Locale.ROOT, format, secondary.getScore());
  }

  private static double[] sortedForks(RunResult result) {
    return result.getBenchmarkResults().stream()
        .mapToDouble(fork -> fork.getPrimaryResult().getScore())
        .sorted()
        .toArray();
  }

  static double median(double... sorted) {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}

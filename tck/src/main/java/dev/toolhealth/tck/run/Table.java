package dev.toolhealth.tck.run;

import dev.toolhealth.tck.script.Departure;
import java.io.PrintWriter;
import java.util.List;

/** Prints results for people. */
final class Table {
  private Table() {}

  static void print(PrintWriter out, List<RuleResult> results) {
    out.printf("%-9s %-14s %10s  %s%n", "rule", "outcome", "cases", "what it says");
    for (RuleResult result : results) {
      out.printf(
          "%-9s %-14s %10d  %s%n",
          result.rule(), result.outcome(), result.cases(), result.rule().sentence());
    }
    // One fault often fails several rules.
    results.stream()
        .flatMap(result -> result.departures().stream().limit(1))
        .sorted(Departure.MOST_TELLING_FIRST)
        .forEach(departure -> out.printf("%n%s%n", departure.getMessage()));
    results.stream()
        .filter(result -> !result.remark().isEmpty())
        .forEach(result -> out.printf("%n%s: %s%n", result.rule(), result.remark()));
    out.printf("%n%s%n", summary(results));
    out.flush();
  }

  private static String summary(List<RuleResult> results) {
    StringBuilder summary =
        new StringBuilder(results.size() + (results.size() == 1 ? " rule" : " rules"));
    for (Outcome outcome : Outcome.values()) {
      long count = results.stream().filter(r -> r.outcome() == outcome).count();
      if (count > 0) {
        summary.append(", ").append(count).append(' ').append(outcome);
      }
    }
    return summary.toString();
  }
}

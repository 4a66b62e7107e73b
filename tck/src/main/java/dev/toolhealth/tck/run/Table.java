package dev.toolhealth.tck.run;

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
    for (RuleResult result : results) {
      if (!result.departures().isEmpty()) {
        out.printf("%n%s%n", result.departures().get(0).getMessage());
      }
    }
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

package dev.toolhealth.tck.run;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints the results as a table for people. */
final class Table {
  private Table() {}

  static void print(PrintWriter out, Report report) {
    out.printf("%-9s %-14s %10s  %s%n", "rule", "outcome", "cases", "requirement");
    for (RuleResult result : report.results()) {
      out.printf(
          "%-9s %-14s %10d  %s%n",
          result.rule(), result.outcome(), result.cases(), result.rule().sentence());
    }
    // The most telling failure first: one fault often breaks several rules.
    report.failed().forEach(result -> out.printf("%n%s%n", result.first().getMessage()));
    report.results().stream()
        .filter(result -> result.outcome() == Outcome.NOT_TESTABLE)
        .forEach(result -> out.printf("%n%s: %s%n", result.rule(), result.remark()));
    notApplicable(report.results())
        .forEach((needs, rules) -> out.printf("%nnot applicable: %s%n  %s%n", needs, rules));
    out.printf("%n%s%n", summary(report.results()));
    if (!report.provisional().isEmpty()) {
      out.printf("%s%n", report.provisional());
    }
    out.flush();
  }

  /** Returns the ids of the rules that do not apply, grouped by the capabilities that they need. */
  private static Map<String, String> notApplicable(List<RuleResult> results) {
    return results.stream()
        .filter(result -> result.outcome() == Outcome.NOT_APPLICABLE)
        .collect(
            Collectors.groupingBy(
                RuleResult::remark,
                TreeMap::new,
                Collectors.mapping(result -> result.rule().id(), Collectors.joining(", "))));
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

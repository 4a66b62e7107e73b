package dev.toolhealth.jmh.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A Markdown table with columns of text, followed by columns of numbers. */
final class MarkdownTable {
  private final List<String> lines = new ArrayList<>();

  MarkdownTable(int texts, List<String> head) {
    row(head);
    StringBuilder rule = new StringBuilder("|");
    for (int i = 0; i < head.size(); i++) {
      rule.append(i < texts ? "---|" : "--:|");
    }
    lines.add(rule.toString());
  }

  void row(List<String> cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** Formats a number with as many digits as are worth reading. */
  static String number(double value) {
    return number(value, value < 99.95 ? 2 : value < 999.5 ? 1 : 0);
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}

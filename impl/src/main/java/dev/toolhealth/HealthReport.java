package dev.toolhealth;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The table of {@link ToolHealthRegistry#healthReport}. */
final class HealthReport {
  private static final Comparator<ToolSnapshot> WORST_FIRST =
      Comparator.comparing(ToolSnapshot::status)
          .reversed()
          .thenComparingDouble(ToolSnapshot::score)
          .thenComparing(ToolSnapshot::tool);

  private static final List<String> HEADINGS =
      List.of(
          "tool", "status", "score", "calls", "failed", "mean", "max", "breaker", "retry after");

  /** The columns of text, aligned on the left. Columns of numbers are aligned on the right. */
  private static final List<Integer> WORDS = List.of(0, 1, 7);

  private static final int LONGEST_NAME = 40;

  /** Controls, invisible and direction-changing characters, line separators, lone surrogates. */
  private static final Pattern UNPRINTABLE =
      Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

  private HealthReport() {}

  static String of(Collection<ToolSnapshot> tools) {
    List<List<String>> rows = new ArrayList<>(List.of(HEADINGS));
    tools.stream().sorted(WORST_FIRST).map(HealthReport::row).forEach(rows::add);
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < HEADINGS.size(); i++) {
      int column = i;
      int width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      columns.append(WORDS.contains(i) ? "%-" : "%").append(width).append("s  ");
    }
    String format = columns.toString();
    StringBuilder table = new StringBuilder();
    for (List<String> row : rows) {
      table.append(format.formatted(row.toArray()).stripTrailing()).append('\n');
    }
    return table.toString();
  }

  private static List<String> row(ToolSnapshot tool) {
    return List.of(
        printable(tool.tool()),
        tool.status().toString(),
        String.format(Locale.ROOT, "%.2f", tool.score()),
        Long.toString(tool.total()),
        Long.toString(tool.failures()),
        millis(tool.averageDuration()),
        millis(tool.maxDuration()),
        tool.circuitState().toString(),
        tool.circuitState() == CircuitState.CLOSED
            ? ""
            : tool.retryAfter().map(HealthReport::millis).orElse("unknown"));
  }

  private static String millis(Duration duration) {
    return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
  }

  /** Makes a name safe to print: it must not break the table or control the terminal. */
  private static String printable(String name) {
    String shown = UNPRINTABLE.matcher(name).replaceAll("?");
    if (shown.length() <= LONGEST_NAME) {
      return shown;
    }
    boolean splitsPair = Character.isHighSurrogate(shown.charAt(LONGEST_NAME - 2));
    return shown.substring(0, LONGEST_NAME - (splitsPair ? 2 : 1)) + "\u2026";
  }
}

package dev.toolhealth.jmh.report;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A hand-written page with places for generated sections:
 *
 * <pre>{@code
 * <!-- generated: bars -->
 * <!-- end -->
 * }</pre>
 */
public final class Page {
  /** The file name of the page. */
  static final String NAME = "benchmarks.md";

  /** The directory of the results and the charts, beside the page. */
  static final String DATA = "benchmarks";

  private static final Pattern PLACE =
      Pattern.compile(
          "(?m)(?s)^<!-- generated: ([a-z ]+) -->\n(.*?)^<!-- (end|generated: .*?) -->");

  private static final String CHARTS = "charts";

  private Page() {}

  /**
   * Returns the file for the results of one JVM.
   *
   * @param directory the page's directory
   * @param label the run's label
   * @return the path
   */
  public static Path data(Path directory, String label) {
    return directory.resolve(DATA).resolve(label + ".json");
  }

  /**
   * Reads all saved results.
   *
   * @param directory the page's directory
   * @return the runs, in the order of their labels
   * @throws IOException if a file cannot be read
   */
  public static List<Run> runs(Path directory) throws IOException {
    Path data = directory.resolve(DATA);
    if (!Files.isDirectory(data)) {
      return List.of();
    }
    List<Run> runs = new ArrayList<>();
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        runs.add(Run.read(file));
      }
    }
    runs.sort(Comparator.comparing(Run::label));
    return runs;
  }

  /**
   * Writes the charts and the page. An existing page keeps its hand-written text.
   *
   * @param directory the page's directory
   * @param runs the runs to show
   * @return the page's file
   * @throws IOException if a file cannot be written
   */
  public static Path write(Path directory, List<Run> runs) throws IOException {
    Path data = Files.createDirectories(directory.resolve(DATA));
    for (Run run : runs) {
      Charts.write(run, data);
    }
    Path page = directory.resolve(NAME);
    String text = Files.exists(page) ? Files.readString(page) : blank();
    return Files.writeString(page, fill(text, runs, directory));
  }

  /** Fills the places in a text with the generated sections. */
  static String fill(String text, List<Run> runs, Path directory) throws IOException {
    Map<String, String> sections = new Report(runs).sections();
    sections.put(CHARTS, charts(runs, directory));
    Set<String> missing = new HashSet<>(sections.keySet());
    StringBuilder filled = new StringBuilder();
    Matcher place = PLACE.matcher(text);
    while (place.find()) {
      String name = place.group(1);
      String section = sections.get(name);
      if (section == null) {
        throw new IllegalArgumentException(
            "unknown section \"" + name + "\"; the sections are " + sections.keySet());
      }
      if (!place.group(3).equals("end")) {
        throw new IllegalArgumentException(
            "<!-- generated: " + name + " --> must be followed by <!-- end -->");
      }
      missing.remove(name);
      String content = runs.isEmpty() ? "There are no results yet.\n" : section;
      place.appendReplacement(
          filled,
          Matcher.quoteReplacement(
              "<!-- generated: %s -->\n\n%s\n<!-- end -->".formatted(name, content)));
    }
    place.appendTail(filled);
    if (missing.size() == sections.size()) {
      throw new IllegalArgumentException(
          "the page has no place for a section: add <!-- generated: bars --> and <!-- end -->");
    }
    return filled.toString();
  }

  private static String charts(List<Run> runs, Path directory) throws IOException {
    List<String> images = new ArrayList<>();
    Path data = directory.resolve(DATA);
    for (Run run : runs) {
      for (String kind : List.of("alone", "shared")) {
        String file = run.label() + "-" + kind + ".svg";
        if (Files.exists(data.resolve(file))) {
          images.add("![%s](%s/%s)\n".formatted(run.label() + ", " + kind, DATA, file));
        }
      }
    }
    return String.join("\n", images);
  }

  private static String blank() {
    Set<String> names = new Report(List.of()).sections().keySet();
    return Stream.concat(
            names.stream().limit(2), Stream.concat(Stream.of(CHARTS), names.stream().skip(2)))
        .map(
            name ->
                "\n## %s\n\n<!-- generated: %s -->\n<!-- end -->\n"
                    .formatted(Character.toUpperCase(name.charAt(0)) + name.substring(1), name))
        .collect(joining("", "# Benchmarks\n", ""));
  }
}

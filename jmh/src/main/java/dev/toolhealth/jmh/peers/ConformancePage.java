package dev.toolhealth.jmh.peers;

import com.samskivert.mustache.Mustache;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The conformance page as Markdown. The template {@code conformance.md} has the common text, and
 * {@link Compared} has the text about each subject.
 */
final class ConformancePage {
  private static final int WIDTH = 100;

  private ConformancePage() {}

  // The template refers to these records' components by name.

  private record Page(int runs, List<Row> chapters, List<Section> subjects, String picture) {}

  private record Row(String title, List<String> cells) {}

  private record Section(
      String name,
      String version,
      String about,
      String claims,
      String verdict,
      List<Told> differences) {}

  /** A difference, with a script that demonstrates it. */
  record Told(String fact, String script, String finding, String consequence, String rules) {}

  static String of(List<Judgement> judgements, int runs, String picture) {
    Page page =
        new Page(
            runs,
            Arrays.stream(Rule.Chapter.values())
                .map(
                    chapter ->
                        new Row(
                            chapter.title(),
                            judgements.stream().map(judgement -> judgement.cell(chapter)).toList()))
                .toList(),
            judgements.stream().map(ConformancePage::section).toList(),
            picture);
    return wrapped(Mustache.compiler().escapeHTML(false).compile(template()).execute(page));
  }

  private static Section section(Judgement judgement) {
    Compared subject = judgement.subject();
    List<Told> differences = differences(judgement);
    Set<Capability> unclaimed = EnumSet.allOf(Capability.class);
    unclaimed.removeAll(subject.capabilities());
    return new Section(
        subject.name(),
        subject.version(),
        subject.about(),
        "Declared capabilities: "
            + Adapters.words(subject.capabilities())
            + "."
            + (unclaimed.isEmpty() ? "" : " Not declared: " + Adapters.words(unclaimed) + "."),
        differences.isEmpty() ? "All tested rules pass." : "Differences:",
        differences);
  }

  static List<Told> differences(Judgement judgement) {
    List<Difference> known = judgement.subject().differences();
    for (Departure departure : judgement.departures()) {
      if (known.stream().noneMatch(difference -> difference.rules().contains(departure.rule()))) {
        throw new IllegalStateException(
            "%s %s departs from %s without an explanation: add a Difference to Compared"
                .formatted(
                    judgement.subject().name(), judgement.subject().version(), departure.rule()));
      }
    }
    return known.stream().flatMap(difference -> told(difference, judgement).stream()).toList();
  }

  private static Optional<Told> told(Difference difference, Judgement judgement) {
    List<Departure> departures =
        judgement.departures().stream()
            .filter(departure -> difference.rules().contains(departure.rule()))
            .sorted(Comparator.comparingInt(d -> difference.rules().indexOf(d.rule())))
            .toList();
    if (departures.isEmpty()) {
      return Optional.empty();
    }
    ScriptInWords words = judgement.subject().inWords(departures.get(0));
    return Optional.of(
        new Told(
            difference.fact(),
            words.script(),
            words.finding(),
            difference.consequence(),
            departures.stream().map(ConformancePage::link).collect(Collectors.joining(", "))));
  }

  private static String link(Departure departure) {
    String id = departure.rule().id();
    return "[%s](spec.md#%s)".formatted(id, id.toLowerCase(Locale.ROOT));
  }

  /** Wraps lines like the other documents, except table rows. */
  private static String wrapped(String page) {
    StringBuilder wrapped = new StringBuilder();
    page.lines()
        .forEach(line -> wrapped.append(line.startsWith("|") ? line : wrap(line)).append('\n'));
    return wrapped.toString();
  }

  private static String wrap(String line) {
    if (line.length() <= WIDTH) {
      return line;
    }
    int end = line.lastIndexOf(' ', WIDTH);
    String indent = line.startsWith("- ") || line.startsWith("  ") ? "  " : "";
    return line.substring(0, end) + "\n" + wrap(indent + line.substring(end + 1));
  }

  private static String template() {
    try (InputStream in = Compared.resource("conformance.md")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

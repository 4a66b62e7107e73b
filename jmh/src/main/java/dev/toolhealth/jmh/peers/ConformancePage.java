package dev.toolhealth.jmh.peers;

import com.samskivert.mustache.Mustache;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The comparison as Markdown. What it says of all subjects is in {@code conformance.md}, and what a
 * departure means in {@code consequences.properties}.
 */
final class ConformancePage {
  private static final int WIDTH = 100;
  private static final Properties CONSEQUENCES = Compared.properties("consequences.properties");

  private ConformancePage() {}

  // The names of these records' components are those in the template.

  private record Page(int runs, List<Row> chapters, List<Section> subjects, String picture) {}

  private record Row(String title, List<String> cells) {}

  private record Section(
      String name,
      String version,
      String mark,
      String about,
      String claims,
      String verdict,
      List<Told> departures) {}

  private record Told(
      String id, String sentence, String script, String finding, String consequence) {}

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
    List<Told> departures = judgement.departures().stream().map(ConformancePage::told).toList();
    Set<Capability> unclaimed = EnumSet.allOf(Capability.class);
    unclaimed.removeAll(subject.capabilities());
    return new Section(
        subject.name(),
        subject.version(),
        subject.mark(),
        subject.about(),
        "It claims: "
            + words(subject.capabilities())
            + "."
            + (unclaimed.isEmpty() ? "" : " Not asked about: " + words(unclaimed) + "."),
        departures.isEmpty()
            ? "It keeps every rule that it was asked for."
            : "It departs from these rules:",
        departures);
  }

  private static Told told(Departure departure) {
    Rule rule = departure.rule();
    ScriptInWords words = ScriptInWords.of(departure);
    return new Told(rule.id(), rule.sentence(), words.script(), words.finding(), consequence(rule));
  }

  static String consequence(Rule rule) {
    String consequence = CONSEQUENCES.getProperty(rule.id());
    if (consequence == null) {
      throw new IllegalStateException(
          "nobody has written what a departure from "
              + rule
              + " means: add it to"
              + " consequences.properties");
    }
    return consequence;
  }

  private static String words(Collection<Capability> capabilities) {
    return capabilities.stream()
        .map(capability -> capability.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .collect(Collectors.joining(", "));
  }

  /** Breaks lines as the other documents do; what must stay on one line does. */
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

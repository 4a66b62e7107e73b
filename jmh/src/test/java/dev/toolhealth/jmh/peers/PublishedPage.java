package dev.toolhealth.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The published page, as {@link Conformance} last wrote it. */
final class PublishedPage {
  private static final Pattern LINK = Pattern.compile("\\[([A-Z]+-[0-9]+)\\]\\(spec");

  private PublishedPage() {}

  static String text() {
    try {
      return Files.readString(Path.of("..", "docs", "conformance.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the rules that a subject departs from according to the page, without some rules. */
  static List<String> departures(Compared subject, Set<Rule> aside) {
    return LINK.matcher(lines(subject))
        .results()
        .map(match -> match.group(1))
        .filter(id -> !aside.contains(Rule.of(id)))
        .toList();
  }

  /** Returns the page's section about a subject, on one line. */
  static String section(Compared subject) {
    return lines(subject).replaceAll("\\s+", " ");
  }

  private static String lines(Compared subject) {
    String heading = "\n## " + subject.name() + " " + subject.version() + "\n";
    assertThat(text()).contains(heading);
    String from = text().substring(text().indexOf(heading) + heading.length());
    return from.substring(0, from.indexOf("\n## "));
  }
}

package dev.toolhealth.jmh.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategoryChart;
import org.w3c.dom.Document;

class PageTest {
  private static final Path DOCS = Path.of("..", "docs");

  @TempDir private Path directory;

  private static String resource(String name) throws IOException {
    try (InputStream in = PageTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Reads two saved runs: one with all facts, and one as JMH itself writes it. */
  private static List<Run> saved() throws IOException {
    return List.of(Run.of(resource("jdk17.json")), Run.of(resource("jdk25.json")));
  }

  @Test
  void isMadeOfWhatWasSaved() throws IOException {
    Path page = Page.write(directory, saved());
    assertThat(page).hasFileName("benchmarks.md");
    assertThat(Files.readString(page)).isEqualTo(resource("expected.md"));
  }

  @Test
  void keepsWhatIsWrittenByHand() throws IOException {
    Path page = directory.resolve("benchmarks.md");
    Files.writeString(
        page, "Before.\n\n<!-- generated: bars -->\nold\n<!-- end -->\n\nAfter, $1 \\.\n");
    Page.write(directory, saved());
    String once = Files.readString(page);
    assertThat(once)
        .startsWith("Before.\n\n<!-- generated: bars -->\n")
        .contains("| success by handle, 1 thread |")
        .doesNotContain("old")
        .endsWith("<!-- end -->\n\nAfter, $1 \\.\n");
    Page.write(directory, saved());
    assertThat(page).hasContent(once);
  }

  @Test
  void aRunOfSomePartsHasNoColumnsInTheTablesOfOthers() throws IOException {
    Run whole = saved().get(0);
    Run other = new Run("some parts", whole.facts(), List.of());
    String place = "<!-- generated: %s -->\n<!-- end -->\n";
    for (String section : List.of("bars", "baselines")) {
      String page = place.formatted(section);
      assertThat(Page.fill(page, List.of(whole, other), DOCS))
          .isEqualTo(Page.fill(page, List.of(whole), DOCS))
          .contains(whole.label());
    }
  }

  @Test
  void saysWhatIsWrongWithItsPlaces() {
    assertThatThrownBy(() -> Page.fill("<!-- generated: bar -->\n<!-- end -->\n", saved(), DOCS))
        .hasMessageStartingWith("unknown section \"bar\"; the sections are [runs, bars,");
    assertThatThrownBy(
            () ->
                Page.fill(
                    "<!-- generated: bars -->\n<!-- generated: runs -->\n<!-- end -->\n",
                    saved(),
                    DOCS))
        .hasMessage("<!-- generated: bars --> must be followed by <!-- end -->");
    assertThatThrownBy(() -> Page.fill("<!-- generated: bars -->\n", saved(), DOCS))
        .hasMessageStartingWith("the page has no place for a section: add");
  }

  /** The published page shows exactly the results that are stored beside it. */
  @Test
  void thePageInTheDocumentsIsUpToDate() throws IOException {
    String text = Files.readString(DOCS.resolve("benchmarks.md"));
    assertThat(Page.fill(text, Page.runs(DOCS), DOCS)).isEqualTo(text);
  }

  @Test
  void chartsAreDrawings() throws Exception {
    Page.write(directory, saved());
    try (Stream<Path> files = Files.list(directory.resolve("benchmarks"))) {
      List<Path> charts = files.sorted().toList();
      assertThat(charts)
          .extracting(chart -> chart.getFileName().toString())
          .containsExactly(
              "jdk17-alone.svg", "jdk17-shared.svg", "jdk25-alone.svg", "jdk25-shared.svg");
      for (Path chart : charts) {
        Document drawing = parse(chart);
        assertThat(drawing.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(drawing.getElementsByTagName("path").getLength()).isPositive();
      }
    }
  }

  /** Charts omit figures that are missing, and figures of unexpected answers (Armeria's gate). */
  @Test
  void chartsShowWhatWasMeasured() throws IOException {
    CategoryChart chart = Charts.chart(saved().get(0), 1);
    assertThat(chart.getSeriesMap().keySet())
        .containsExactly("Reference", "Resilience4j", "Failsafe", "Armeria", "Pekko", "MyAdapter");
    assertThat(chart.getSeriesMap().values())
        .allSatisfy(
            series ->
                assertThat(series.getXData())
                    .hasToString(
                        "[success, 10 % failures, failure, gate CLOSED, gate OPEN,"
                            + " gate and success]"));
    assertThat(chart.getSeriesMap().values())
        .extracting(series -> series.getYData().toString())
        .contains(
            "[11.0, 16.0, 30.0, 2.0, 24.0, null]", // the reference
            "[25.0, null, null, null, null, null]"); // Armeria
  }

  private static Document parse(Path file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    // The file refers to a DTD on the web. Do not fetch it.
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(file.toFile());
  }
}

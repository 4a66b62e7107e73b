package dev.toolhealth.tck.run;

import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.io.OutputStream;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A writer for the JUnit XML that build servers read. Each chapter is a suite, and each rule is a
 * test case.
 *
 * <p>A rule that is not testable is written as a failure. A subject with such a rule does not
 * conform, and a green page would contradict the kit's exit code. A rule that is not applicable is
 * written as skipped.
 */
final class JUnitXml {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Report report;
  private final XMLStreamWriter xml;

  private JUnitXml(Report report, XMLStreamWriter xml) {
    this.report = report;
    this.xml = xml;
  }

  static void write(Report report, OutputStream out) throws XMLStreamException {
    XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out, "UTF-8");
    new JUnitXml(report, xml).write();
    xml.close();
  }

  private void write() throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    line();
    xml.writeStartElement("testsuites");
    attribute("name", report.verdict());
    numbers(report.results(), report.journal().total());
    Map<Rule.Chapter, List<RuleResult>> chapters =
        report.results().stream()
            .collect(
                Collectors.groupingBy(r -> r.rule().chapter(), TreeMap::new, Collectors.toList()));
    for (Map.Entry<Rule.Chapter, List<RuleResult>> chapter : chapters.entrySet()) {
      suite(chapter.getKey(), chapter.getValue());
    }
    line();
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void suite(Rule.Chapter chapter, List<RuleResult> results) throws XMLStreamException {
    line();
    xml.writeStartElement("testsuite");
    attribute("name", chapter.title());
    numbers(results, results.stream().map(this::time).reduce(Duration.ZERO, Duration::plus));
    attribute("timestamp", TIMESTAMP.format(report.circumstances().date()));
    properties();
    for (RuleResult result : results) {
      testCase(result);
    }
    line();
    xml.writeEndElement();
  }

  private void properties() throws XMLStreamException {
    line();
    xml.writeStartElement("properties");
    property("subject", report.subject());
    property("capabilities", report.capabilities().toString());
    if (report.repetition().atRandom()) {
      property("seed", "" + report.repetition().seed());
    }
    property("kit", report.circumstances().kit());
    property("java", report.circumstances().java());
    line();
    xml.writeEndElement();
  }

  private void property(String name, String value) throws XMLStreamException {
    line();
    xml.writeEmptyElement("property");
    attribute("name", name);
    attribute("value", value);
  }

  private void testCase(RuleResult result) throws XMLStreamException {
    line();
    xml.writeStartElement("testcase");
    attribute("classname", "tool-health." + result.rule().chapter().title());
    attribute("name", result.rule() + " " + result.rule().sentence());
    attribute("time", seconds(time(result)));
    switch (result.outcome()) {
      case PASSED -> {}
      case FAILED -> failed(result);
      case NOT_APPLICABLE -> {
        line();
        xml.writeEmptyElement("skipped");
        attribute("message", "not applicable: " + result.remark());
      }
      case NOT_TESTABLE -> failure("not testable", "does not conform: " + result.remark(), "");
    }
    line();
    xml.writeEndElement();
  }

  private void failed(RuleResult result) throws XMLStreamException {
    Departure first = result.first();
    String repeat = "to repeat this: " + report.repetition().line(List.of(result.rule()));
    failure(
        "departure", first.story().ending(first.finding()), first.getMessage() + "\n  " + repeat);
  }

  private void failure(String type, String message, String text) throws XMLStreamException {
    line();
    xml.writeStartElement("failure");
    attribute("type", type);
    attribute("message", message);
    xml.writeCharacters(Printable.text(text));
    xml.writeEndElement();
  }

  private void numbers(List<RuleResult> results, Duration time) throws XMLStreamException {
    attribute("tests", "" + results.size());
    attribute("failures", "" + results.stream().filter(r -> !r.outcome().conforms()).count());
    attribute("errors", "0");
    attribute(
        "skipped",
        "" + results.stream().filter(r -> r.outcome() == Outcome.NOT_APPLICABLE).count());
    attribute("time", seconds(time));
  }

  private Duration time(RuleResult result) {
    return report.journal().time(result.rule());
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, Printable.text(value));
  }

  private void line() throws XMLStreamException {
    xml.writeCharacters("\n");
  }
}

package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.spec.Rule;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class JUnitXmlTest {

  @Test
  void hasASuiteForEachChapterAndACaseForEachRule() throws Exception {
    Report report =
        Reports.judged(
            "com.example.Mine",
            new LockingAdapter(),
            EnumSet.of(Rule.BRK_1, Rule.BRK_2, Rule.STALE_1));
    Document xml = parse(report);
    Element root = xml.getDocumentElement();
    assertThat(root.getTagName()).isEqualTo("testsuites");
    assertThat(root.getAttribute("name"))
        .isEqualTo("com.example.Mine conforms (checked only BRK-1, BRK-2, STALE-1)");
    assertNumbers(root, 3, 0, 0);
    assertThat(root.getAttribute("time")).isEqualTo("6.000");
    assertThat(all(xml, "testsuite"))
        .extracting(suite -> suite.getAttribute("name"))
        .containsExactly("Circuit breaker", "Stale results");
    Element breaker = all(xml, "testsuite").get(0);
    assertNumbers(breaker, 2, 0, 0);
    assertThat(breaker.getAttribute("timestamp")).isEqualTo("2026-03-04T05:06:07");
    assertThat(all(xml, "testcase"))
        .extracting(test -> test.getAttribute("name"))
        .containsExactly(
            "BRK-1 " + Rule.BRK_1.sentence(),
            "BRK-2 " + Rule.BRK_2.sentence(),
            "STALE-1 " + Rule.STALE_1.sentence());
    assertThat(all(xml, "testcase"))
        .allMatch(test -> test.getAttribute("time").equals("1.500"))
        .allMatch(test -> test.getAttribute("classname").startsWith("tool-health."));
    assertThat(all(xml, "property"))
        .extracting(property -> property.getAttribute("name"))
        .contains("subject", "capabilities", "seed", "kit", "java");
  }

  @Test
  void aFailureTellsTheWholeStoryAndHowToRepeatIt() throws Exception {
    Document xml =
        parse(
            Reports.judged(
                "com.example.My$Own", Reports.breaking(Rule.STALE_1), EnumSet.of(Rule.STALE_1)));
    Element failure = all(xml, "failure").get(0);
    assertThat(failure.getAttribute("message")).contains("expected ").contains(", saw ");
    assertThat(failure.getTextContent())
        .contains("1. recordFailure(\"a\", 1 ns)\n    2. recordSuccess(\"a\", 1 ns)\n")
        .contains("--subject 'com.example.My$Own' --rule STALE-1 --seed 1");
  }

  /** This agrees with the exit code: a subject with an untestable rule does not conform. */
  @Test
  void whatIsNotTestableHasFailedAndWhatIsNotApplicableWasSkipped() throws Exception {
    Document xml = parse(Reports.hostile());
    assertNumbers(xml.getDocumentElement(), 5, 3, 1);
    assertThat(all(xml, "failure"))
        .extracting(failure -> failure.getAttribute("type"))
        .containsExactly("departure", "not testable", "departure");
    assertThat(all(xml, "skipped"))
        .extracting(skipped -> skipped.getAttribute("message"))
        .singleElement()
        .asString()
        .isEqualTo("not applicable: " + Reports.NEEDS);
  }

  @Test
  void holdsWhateverSubjectsSay() throws Exception {
    Document xml = parse(Reports.hostile());
    assertThat(xml.getElementsByTagName("script").getLength()).isZero();
    assertThat(all(xml, "failure"))
        .filteredOn(failure -> failure.getAttribute("type").equals("departure"))
        .hasSize(2)
        .allSatisfy(
            failure -> {
              assertThat(failure.getAttribute("message"))
                  .contains("<script>alert(1)</script> ]]> --> & \" ' {{kit}} ")
                  .contains(Reports.WRITTEN_OUT);
              assertThat(failure.getTextContent()).contains(Reports.WRITTEN_OUT);
            });
  }

  private static void assertNumbers(Element suite, int tests, int failures, int skipped) {
    assertThat(suite.getAttribute("tests")).isEqualTo("" + tests);
    assertThat(suite.getAttribute("failures")).isEqualTo("" + failures);
    assertThat(suite.getAttribute("skipped")).isEqualTo("" + skipped);
    assertThat(suite.getAttribute("errors")).isEqualTo("0");
  }

  private static Document parse(Report report) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(write(report)));
  }

  private static byte[] write(Report report) throws XMLStreamException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    JUnitXml.write(report, out);
    return out.toByteArray();
  }

  private static List<Element> all(Document xml, String name) {
    NodeList nodes = xml.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }
}

package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Finding;
import dev.toolhealth.tck.script.Story;
import dev.toolhealth.tck.spec.Rule;
import java.io.StringWriter;
import java.util.EnumSet;
import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

class HtmlPageTest {
  /** The text of {@link Reports#HOSTILE} as the page must show it. */
  private static final String WRITTEN =
      "<script>alert(1)</script> ]]> --> & \" ' {{kit}} " + Reports.WRITTEN_OUT;

  @Test
  void saysOnTopWhatCameOfIt() {
    Document page =
        parse(Reports.judged("com.example.Mine", new LockingAdapter(), EnumSet.of(Rule.BRK_1)));
    assertThat(page.title()).isEqualTo("com.example.Mine conforms");
    assertThat(text(page, "h1")).isEqualTo("com.example.Mine ✓ conforms");
    assertThat(text(page, "header .counts")).isEqualTo("✓ 1 passed");
    assertThat(text(page, "header .facts"))
        .contains("Claims manual clock, oracle,", "Does not claim permits, lock free", "Seed 1")
        .contains("Kit kit 1.2", "Java 21", "Date 4 March 2026, 05:06 UTC", "Time taken 3.0 s");
    assertThat(text(page, "#run")).contains("60 random scripts, seed 1 (1.5 s)");
    assertThat(page.select("#departures")).isEmpty();
  }

  @Test
  void listsRulesByChapter() {
    Document page =
        parse(
            Reports.judged(
                "com.example.Mine", new LockingAdapter(), EnumSet.of(Rule.BRK_1, Rule.REG_6)));
    assertThat(page.select("#rules h3").eachText()).containsExactly("Circuit breaker", "Registry");
    assertThat(text(page, "tr#BRK-1"))
        .startsWith("BRK-1 " + Rule.BRK_1.sentence() + " ✓ passed ")
        .endsWith(" 1.5 s");
    assertThat(text(page, "tr#REG-6")).endsWith("– not applicable needs lock free");
    assertThat(page.select("details:has(tr#REG-6), details:has(tr#BRK-1)")).hasSize(1);
    assertThat(page.select("table")).allMatch(table -> !table.select("thead th").isEmpty());
  }

  @Test
  void drawsTheScriptOfAFailedRule() {
    Document page =
        parse(
            Reports.judged(
                "com.example.Mine", Reports.breaking(Rule.STALE_1), EnumSet.of(Rule.STALE_1)));
    assertThat(text(page, "h1")).endsWith("✗ does not conform");
    assertThat(text(page, ".lead")).isEqualTo("1 rule failed: STALE-1.");
    assertThat(page.select("tr#STALE-1 a[href=#STALE-1-script]")).hasSize(1);
    Element drawn = page.expectFirst("#STALE-1-script");
    assertThat(text(drawn, "caption"))
        .isEqualTo("A breaker with threshold 1, recovery 10 ns, probe timeout 10 ns");
    assertThat(drawn.select("tbody tr").eachText())
        .containsExactly(
            "0 ns start CLOSED",
            "0 ns 1. recordFailure(\"a\", 1 ns) OPEN cooldown ends at 10 ns",
            "0 ns 2. recordSuccess(\"a\", 1 ns) OPEN",
            "0 ns then isToolAvailable(\"a\") → true ✗ expected false OPEN");
    assertThat(drawn.select("td.lane").eachAttr("class"))
        .containsExactly("lane closed changed", "lane open changed", "lane open", "lane open");
    assertThat(text(drawn, "thead .lane")).isEqualTo("Expected state");
    assertThat(drawn.select("tr.wrong")).hasSize(1);
    assertThat(text(drawn, ".finding"))
        .isEqualTo("Then isToolAvailable(\"a\") ✓ Expected false ✗ Seen true");
    assertThat(text(drawn, "pre"))
        .isEqualTo("kit --subject com.example.Mine --rule STALE-1 --seed 1");
  }

  /** The clock has its own lane, answers follow their calls, and repeated calls share a row. */
  @Test
  void drawsTheClockAndRepetitions() {
    Story.Event ask = ask("false", "0 ns", CircuitState.OPEN, "2 failures in a row");
    Story.Event advance = new Story.Event("clock moves", "", true, "9 s - 1 ns", ask.breakers());
    Story.Event probe = ask("true", "9 s - 1 ns", CircuitState.HALF_OPEN, "probe is out");
    Story story =
        new Story.Played(
            "with this and that",
            List.of(new Story.Breaker("\"a\"", CircuitState.CLOSED, "")),
            List.of(ask, ask, ask, advance, probe, probe));
    Document page = parse(Reports.failed(Rule.BRK_8, story, Finding.sentence("it threw")));
    assertThat(page.select("tbody tr:has(.lane)").eachText())
        .containsExactly(
            "0 ns start CLOSED",
            "0 ns 1. allowRequest(\"a\") → false OPEN 2 failures in a row",
            "0 ns 2–3. allowRequest(\"a\") → false OPEN",
            "9 s − 1 ns 4. clock moves OPEN",
            "9 s − 1 ns 5. allowRequest(\"a\") → true HALF_OPEN probe is out",
            "9 s − 1 ns 6. allowRequest(\"a\") → true HALF_OPEN");
    assertThat(page.select(".moved").eachText()).containsExactly("0 ns", "9 s − 1 ns");
    assertThat(page.select(".passes")).hasSize(1);
    assertThat(text(page, ".found")).isEqualTo("✗ Seen it threw");
  }

  /** A step with a wrong answer has its own row and is not folded into the steps before. */
  @Test
  void marksTheStepThatWentWrong() {
    Story.Event ask = ask("false", "0 ns", CircuitState.OPEN, "");
    Story story = new Story.Played("with it", ask.breakers(), List.of(ask, ask, ask));
    Finding finding = Finding.comparison(Finding.LAST_STEP, true, false);
    Document page = parse(Reports.failed(Rule.BRK_8, story, finding));
    assertThat(page.select(".timeline tbody tr").eachText())
        .endsWith(
            "0 ns 1–2. allowRequest(\"a\") → false OPEN",
            "0 ns 3. allowRequest(\"a\") → false ✗ expected true OPEN");
    assertThat(text(page, "tr.wrong .number")).isEqualTo("3.");
    assertThat(text(page, ".finding")).isEqualTo("Step 3 ✓ Expected true ✗ Seen false");
  }

  /** One fault can break several rules. The page draws a shared script only once. */
  @Test
  void foldsWhatAnEarlierScriptShows() {
    Story.Event ask = ask("true", "0 ns", CircuitState.OPEN, "");
    Story story = new Story.Played("with it", ask.breakers(), List.of(ask));
    Document page =
        parse(
            Reports.failed(
                departure(Rule.LEASE_1, new Story.Told("something else")),
                departure(Rule.BRK_8, story),
                departure(Rule.LEASE_3, story)));
    assertThat(page.select("article").eachAttr("id"))
        .containsExactly("BRK-8-script", "LEASE-1-script");
    assertThat(text(page, ".lead")).isEqualTo("3 rules failed; start with BRK-8.");
    assertThat(page.select(".about a[href]").eachText())
        .containsExactly("BRK-8", "LEASE-1", "LEASE-3");
    assertThat(text(page, "#BRK-8-script .others")).isEqualTo("Related failures: LEASE-3");
    assertThat(text(page, "#BRK-8-script details"))
        .contains(Rule.LEASE_3.sentence())
        .endsWith("step 1: expected false, saw true");
    assertThat(page.select("tr#LEASE-3 a[href=#BRK-8-script]")).hasSize(1);
    assertThat(page.select(".legend")).hasSize(1);
  }

  /** After a run that stopped early, a rule has passed only provisionally. */
  @Test
  void saysThatPassedIsProvisional() {
    Report report = Reports.failed(departure(Rule.BRK_8, new Story.Told("something")));
    report.journal().stopped(12);
    assertThat(text(parse(report), ".lead"))
        .isEqualTo(
            "1 rule failed: BRK-8. The kit stopped after 12 failed scripts, so"
                + " rules that passed might still fail.");
  }

  private static Departure departure(Rule rule, Story story) {
    Finding finding = Finding.comparison(Finding.LAST_STEP, false, true);
    return new Departure(rule, story, finding, Departure.Evidence.CAUSE);
  }

  private static Story.Event ask(String answer, String time, CircuitState state, String detail) {
    return new Story.Event(
        "allowRequest(\"a\")",
        answer,
        false,
        time,
        List.of(new Story.Breaker("\"a\"", state, detail)));
  }

  @Test
  void needsNothingElse() {
    Document page = parse(Reports.hostile());
    assertThat(page.select("script, link, img, iframe, object, embed, form, base")).isEmpty();
    assertThat(page.select("[src], [srcset], [style], [onclick], [onload]")).isEmpty();
    assertThat(page.select("a").eachAttr("href")).allMatch(href -> href.startsWith("#"));
    assertThat(page.select("style").html()).doesNotContain("url(", "@import", "http");
  }

  @Test
  void everyLinkLeadsSomewhereAndNoIdIsGivenTwice() {
    Document page = parse(Reports.hostile());
    List<String> ids = page.select("[id]").eachAttr("id");
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(page.select("a").eachAttr("href"))
        .isNotEmpty()
        .allSatisfy(href -> assertThat(ids).contains(href.substring(1)));
  }

  @Test
  void whatSubjectsSayIsOnlyText() {
    Document page = parse(Reports.hostile());
    assertThat(page.title()).isEqualTo(WRITTEN + " does not conform");
    assertThat(text(page, ".subject")).isEqualTo(WRITTEN);
    assertThat(text(page, "caption")).isEqualTo("A breaker with " + WRITTEN);
    assertThat(text(page, "thead th.lane")).isEqualTo("Expected state of " + WRITTEN);
    assertThat(text(page, "tbody th code")).isEqualTo("recordFailure(" + WRITTEN);
    assertThat(text(page, ".answer")).isEqualTo("→ " + WRITTEN);
    assertThat(text(page, ".seen dd")).isEqualTo(WRITTEN);
    assertThat(text(page, ".remark")).isEqualTo(WRITTEN);
    assertThat(text(page, ".told")).isEqualTo(WRITTEN);
    assertThat(text(page, ".found code")).isEqualTo(WRITTEN);
  }

  @Test
  void tellsOutcomesApart() {
    Document page = parse(Reports.hostile());
    assertThat(text(page, ".lead"))
        .isEqualTo(
            "2 rules failed; start with BRK-2. "
                + "1 rule could not be tested: see the list of rules for the reasons.");
    assertThat(page.select("#rules .outcome").eachText())
        .containsExactlyInAnyOrder(
            "✓ passed",
            "✗ failed",
            "✗ failed",
            "– not applicable needs lock free",
            "? not testable " + WRITTEN);
  }

  private static String text(Element within, String selector) {
    return within.expectFirst(selector).text();
  }

  /** Parses the page, and fails if the HTML is not well-formed. */
  private static Document parse(Report report) {
    StringWriter out = new StringWriter();
    HtmlPage.write(report, out);
    Parser parser = Parser.htmlParser().setTrackErrors(10);
    Document page = parser.parseInput(out.toString(), "");
    assertThat(parser.getErrors()).isEmpty();
    return page;
  }
}

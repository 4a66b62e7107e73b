package dev.toolhealth.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.spec.Rule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the specification and the kit agree. */
class SpecificationTest {
  private static final Document SPECIFICATION = Document.of("docs/spec.md");

  /** A rule's section: heading, sentence, intent and tests. */
  private static final Pattern SECTION =
      Pattern.compile(
          "^### ([A-Z]+-\\d+)\\n\\n((?:> .*\\n)+)\\n((?:[^#>\\n].*\\n)+)\\nTests?: ((?:.+\\n)+)",
          Pattern.MULTILINE);

  private record Section(String sentence, String intent, List<String> tests) {}

  @Test
  void hasTheRulesOfTheKitInOrder() {
    assertThat(sections().keySet())
        .containsExactlyElementsOf(Arrays.stream(Rule.values()).map(Rule::id).toList());
  }

  /** Otherwise a section not matched by {@link #SECTION} would be skipped silently. */
  @Test
  void everyHeadingOfARuleHasASection() {
    assertThat(Pattern.compile("(?m)^### ").matcher(SPECIFICATION.text()).results())
        .hasSameSizeAs(sections().keySet());
  }

  @ParameterizedTest
  @EnumSource
  void hasTheSentenceAndTheTestsOfTheKit(Rule rule) {
    Section section = Objects.requireNonNull(sections().get(rule.id()), rule.id());
    assertThat(section.sentence()).isEqualTo(rule.sentence());
    assertThat(section.intent()).isNotBlank();
    assertThat(section.tests())
        .containsExactlyInAnyOrderElementsOf(
            RuleCheck.all().stream()
                .filter(check -> check.rule() == rule)
                .map(RuleCheck::id)
                .toList());
  }

  private static Map<String, Section> sections() {
    Map<String, Section> sections = new LinkedHashMap<>();
    SECTION
        .matcher(SPECIFICATION.text())
        .results()
        .forEach(
            match ->
                sections.put(
                    match.group(1),
                    new Section(unwrap(match.group(2)), match.group(3), tests(match))));
    return sections;
  }

  private static String unwrap(String quotation) {
    return quotation.replaceAll("(?m)^> ", "").replace('\n', ' ').trim();
  }

  private static List<String> tests(MatchResult match) {
    return Pattern.compile("`([^`]+)`")
        .matcher(match.group(4))
        .results()
        .map(m -> m.group(1))
        .toList();
  }
}

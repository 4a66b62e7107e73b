package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import dev.toolhealth.tck.spec.Answer;
import dev.toolhealth.tck.spec.Model;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The questions about a subject: all reads, which must change nothing. */
@SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing, and an unmodifiable set
enum Question {
  /** Would the gate admit a call? */
  AVAILABLE("isToolAvailable", Model::isToolAvailable, Subject::isToolAvailable, Capability.ORACLE),

  /** What is the breaker's state? */
  STATE("circuitState", Model::circuitState, Subject::circuitState, Capability.CIRCUIT_STATE),

  /** How many consecutive failures were recorded? */
  CONSECUTIVE_FAILURES(
      "consecutiveFailures",
      (model, tool, now) -> model.consecutiveFailures(tool),
      Subject::consecutiveFailures,
      Capability.CONSECUTIVE_FAILURES),

  /** How many calls succeeded? */
  SUCCESSES(
      "statistics.successes",
      (model, tool, now) -> model.successes(tool),
      (subject, tool) -> subject.statistics(tool).successes(),
      Capability.STATISTICS),

  /** How many calls failed? */
  FAILURES(
      "statistics.failures",
      (model, tool, now) -> model.failures(tool),
      (subject, tool) -> subject.statistics(tool).failures(),
      Capability.STATISTICS),

  /** How many calls were there? */
  TOTAL(
      "statistics.total",
      (model, tool, now) -> model.total(tool),
      (subject, tool) -> subject.statistics(tool).total(),
      Capability.STATISTICS),

  /** What is the success rate? */
  SUCCESS_RATE(
      "statistics.successRate",
      (model, tool, now) -> model.successRate(tool),
      (subject, tool) -> subject.statistics(tool).successRate(),
      Capability.STATISTICS),

  /** How long did all calls take together? */
  DURATION_SUM(
      "statistics.durationSumNanos",
      (model, tool, now) -> model.durationSum(tool),
      (subject, tool) -> subject.statistics(tool).durationSumNanos(),
      Capability.STATISTICS),

  /** How long did a call take on average? */
  AVERAGE_DURATION(
      "statistics.averageDurationNanos",
      (model, tool, now) -> model.averageDuration(tool),
      (subject, tool) -> subject.statistics(tool).averageDurationNanos(),
      Capability.STATISTICS),

  /** How long did the longest call take? */
  MAX_DURATION(
      "statistics.maxDurationNanos",
      (model, tool, now) -> model.maxDuration(tool),
      (subject, tool) -> subject.statistics(tool).maxDurationNanos(),
      Capability.STATISTICS),

  /** What is the moving average of success? */
  EWMA("ewma", (model, tool, now) -> model.ewma(tool), Subject::ewma, Capability.SCORE),

  /** What is the score? */
  SCORE("score", (model, tool, now) -> model.score(tool), Subject::score, Capability.SCORE),

  /** What is the status? */
  STATUS("healthStatus", Model::healthStatus, Subject::healthStatus, Capability.SCORE),

  /** Which tool should be called? */
  ROUTE("route", Model::route, Subject::route, Capability.ROUTING),

  /** How many tools are there? */
  TOOL_COUNT(
      "toolCount",
      (model, tool, now) -> model.toolCount(),
      (subject, tool) -> subject.toolCount(),
      Capability.SUMMARY),

  /** How have all tools been doing? */
  SUMMARY(
      "healthSummary",
      (model, tool, now) -> model.healthSummary(now),
      (subject, tool) -> subject.healthSummary(),
      Capability.SUMMARY,
      Capability.SCORE);

  /** A function that returns the rules' answer. */
  private interface Expectation {
    Answer<?> answer(Model model, String tool, long now);
  }

  /** A function that returns the subject's answer. */
  private interface Inquiry {
    Object answer(Subject subject, String tool);
  }

  private final String wording;
  private final Expectation expectation;
  private final Inquiry inquiry;
  private final Set<Capability> needs;

  Question(String wording, Expectation expectation, Inquiry inquiry, Capability... needs) {
    this.wording = wording;
    this.expectation = expectation;
    this.inquiry = inquiry;
    this.needs = Set.of(needs);
  }

  /** Returns the required capabilities. */
  Set<Capability> needs() {
    return needs;
  }

  Answer<?> expected(Model model, String tool, long now) {
    return expectation.answer(model, tool, now);
  }

  Object ask(Subject subject, String tool) {
    return inquiry.answer(subject, tool);
  }

  /** Returns whether the answer is about one tool, and not about all tools. */
  boolean isAboutOneTool() {
    return this != TOOL_COUNT && this != SUMMARY;
  }

  String wording(String tool) {
    return isAboutOneTool() ? wording + "(" + Words.name(tool) + ")" : wording + "()";
  }

  /** Returns the questions for a subject with these capabilities. */
  static List<Question> offeredBy(Set<Capability> capabilities) {
    return Arrays.stream(values())
        .filter(question -> capabilities.containsAll(question.needs()))
        .toList();
  }

  /**
   * Asks all questions for a subject with these capabilities, and returns the answers by the
   * wording of the question.
   */
  static Map<String, Object> askAll(Subject subject, String tool, Set<Capability> capabilities) {
    Map<String, Object> answers = new LinkedHashMap<>();
    for (Question question : offeredBy(capabilities)) {
      answers.put(question.wording(tool), Replay.attempt(() -> question.ask(subject, tool)));
    }
    return answers;
  }

  /** Returns whether two answers are the same. Fractions may differ by a rounding error. */
  static boolean agree(@Nullable Object expected, @Nullable Object seen) {
    if (expected instanceof Double a && seen instanceof Double b) {
      return Math.abs(a - b) <= 1e-9;
    }
    if (expected instanceof SummaryEntry a && seen instanceof SummaryEntry b) {
      return a.status() == b.status() && agree(a.score(), b.score());
    }
    if (expected instanceof Map<?, ?> a && seen instanceof Map<?, ?> b) {
      return a.keySet().equals(b.keySet())
          && a.keySet().stream().allMatch(key -> agree(a.get(key), b.get(key)));
    }
    return Objects.equals(expected, seen);
  }
}

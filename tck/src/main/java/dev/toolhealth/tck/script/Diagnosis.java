package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Replay.Asking;
import dev.toolhealth.tck.script.Replay.Difference;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search for the rule that a subject breaks, by playing variations of a minimal script. The wrong
 * answer is often only a consequence. For example, if a success wrongly closes an open breaker, the
 * wrong answer is the gate's, which should have refused a later call.
 */
final class Diagnosis {
  /**
   * Longer scripts are not minimized: that would take too long, and long scripts are monotonous.
   */
  private static final int MAX_STEPS = 2_000;

  private static final long COOLDOWN = 1_000;

  /** Longer than every script with this duration, and round in every unit. */
  static final long VERY_LONG = 1_000_000_000_000L;

  private final Replay replay;
  private final Script script;
  private final Symptom symptom;
  private final BreakerDiagnosis breaker;

  private Diagnosis(Symptom symptom) {
    this.replay = symptom.replay();
    this.script = symptom.script();
    this.symptom = symptom;
    this.breaker = new BreakerDiagnosis(symptom);
  }

  /** Diagnoses a difference. The script should be as short as possible. */
  static Departure of(Replay replay, Script script, Difference difference) {
    Diagnosis diagnosis = new Diagnosis(new Symptom(replay, script, difference));
    return new Departure(
        diagnosis.rule(), diagnosis.story(), diagnosis.finding(), Departure.Evidence.CAUSE);
  }

  /**
   * Minimizes and diagnoses a hand-written script that has ended with a wrong answer.
   *
   * @param question the question with the wrong answer, or null if the last step's own answer is
   *     wrong
   */
  static Optional<Departure> ofScenario(
      Replay replay, Script script, @Nullable Question question, String about) {
    String tool = question == null || question.isAboutOneTool() ? about : "";
    if (script.steps().size() > MAX_STEPS) {
      return Optional.empty();
    }
    // First without other questions: the minimal script then ends with exactly this wrong answer.
    Function<Script, Optional<Difference>> silently =
        shorter ->
            question == null
                ? replay.run(shorter, Asking.NEVER, new CaseCount())
                : replay.runThenAsk(shorter, question, tool);
    for (Function<Script, Optional<Difference>> way :
        List.of(silently, s -> replay.run(s, Asking.ALWAYS, new CaseCount()))) {
      Predicate<Script> differs = shorter -> way.apply(shorter).isPresent();
      if (differs.test(script)) {
        Script minimal = script.shortened(differs);
        return way.apply(minimal).map(difference -> of(replay, minimal, difference));
      }
    }
    return Optional.empty();
  }

  private Story story() {
    return StoryRecorder.of(
        script, symptom.question() == null ? symptom.seen() : symptom.end().lastAnswer());
  }

  private Finding finding() {
    Question question = symptom.question();
    String asked = question == null ? Finding.LAST_STEP : question.wording(symptom.tool());
    return Finding.comparison(asked, symptom.expected(), symptom.seen());
  }

  private Rule rule() {
    Question question = symptom.question();
    if (script.hasPermits()) {
      return ruleOf(script.byName()).orElseGet(() -> new PermitDiagnosis(symptom).rule());
    }
    if (goesRightWithoutReads()) {
      return brokenByReads();
    }
    if (symptom.tool().equals(Replay.UNSEEN)) {
      return Rule.REG_3;
    }
    return withCooldown()
        .or(this::withLease)
        .orElseGet(() -> new ContextDiagnosis(symptom).refine(shown(question)));
  }

  private Rule shown(@Nullable Question question) {
    Rule expected = symptom.rule();
    if (question == null) {
      return symptom.last() instanceof Step.AllowRequest ? breaker.atTheGate() : expected;
    }
    return switch (question) {
      case AVAILABLE -> available();
      case STATE, CONSECUTIVE_FAILURES -> breaker.rule();
      case SUCCESSES, FAILURES, TOTAL -> counted(Rule.STAT_1);
      case DURATION_SUM, MAX_DURATION -> counted(expected);
      case EWMA, TOOL_COUNT -> expected;
      case SUCCESS_RATE, AVERAGE_DURATION, SCORE, STATUS, SUMMARY -> derived(expected);
      case ROUTE -> derived(route(expected));
    };
  }

  /**
   * Returns the broken rule for an answer that is derived from other answers. The rule of the
   * derived answer is broken only if the other answers are right.
   */
  private Rule derived(Rule expected) {
    String tool = symptom.tool();
    for (Question other : Question.values()) {
      if (other.isAboutOneTool()
          && !symptom.isAnswerTo(other)
          && replay.asks(other)
          && !tool.isEmpty()) {
        Optional<Difference> wrong = replay.runThenAsk(script, other, tool);
        if (wrong.isPresent() && other.compareTo(symptom.question()) < 0) {
          return ruleOf(script, wrong.get());
        }
        if (wrong.isEmpty() && replay.runReadAllThenAsk(script, other, tool).isPresent()) {
          return Rule.ORACLE_2;
        }
      }
    }
    return expected;
  }

  /** Returns the broken rule for a wrong oracle: if the gate is wrong too, the breaker's rule. */
  private Rule available() {
    String tool = symptom.tool();
    Script withGate = symptom.thenAskTheGate();
    if (!symptom.gateGoesRight(withGate)) {
      return breaker.rule();
    }
    if (replay.runReadAllThenAskGate(script, tool).isPresent()) {
      return replay.without(Question.ROUTE).runReadAllThenAskGate(script, tool).isPresent()
          ? Rule.ORACLE_2
          : Rule.ROUTE_5;
    }
    if (script.steps().isEmpty()) {
      return Rule.REG_3;
    }
    return symptom.isClosedButNotHealthy() ? Rule.ORACLE_3 : Rule.ORACLE_1;
  }

  // Wrong counts and wrong routes.

  private Rule counted(Rule rule) {
    Walk walk = new Walk(script.config(), symptom.beforeTheLast().steps());
    boolean closed =
        walk.model().circuitState(symptom.tool(), walk.now()).value() == CircuitState.CLOSED;
    return closed || !symptom.endsWithAnOutcome() ? rule : Rule.STAT_7;
  }

  private Rule route(Rule expected) {
    List<Step.SetFallbacks> settings =
        script.steps().stream()
            .filter(Step.SetFallbacks.class::isInstance)
            .map(Step.SetFallbacks.class::cast)
            .toList();
    List<Step.SetFallbacks> own =
        settings.stream().filter(s -> s.primary().equals(symptom.tool())).toList();
    boolean others =
        settings.stream()
            .filter(s -> !own.contains(s))
            .anyMatch(s -> own.stream().noneMatch(o -> o.fallbacks().contains(s.primary())));
    return own.size() > 1 || others ? Rule.ROUTE_5 : expected;
  }

  // Mistakes that only happen because somebody reads.

  private boolean goesRightWithoutReads() {
    Question question = symptom.question();
    return question == null
        ? symptom.gateGoesRight(script)
        : replay.runThenAsk(script, question, symptom.tool()).isEmpty();
  }

  private Rule brokenByReads() {
    if (symptom.contains(Step.Configure.class)) {
      return Rule.REG_4;
    }
    if (sawMoreTools()) {
      return Rule.REG_3;
    }
    if (replay.without(Question.ROUTE).run(script, Asking.ALWAYS, new CaseCount()).isEmpty()) {
      return symptom.isAnswerTo(Question.ROUTE) ? symptom.rule() : Rule.ROUTE_5;
    }
    if (symptom.isAnswerTo(Question.SUMMARY)) {
      return Rule.REG_5; // the summary is asked last, and all other answers were right
    }
    return symptom.isAnswerTo(Question.AVAILABLE) && readsChangeNothing()
        ? Rule.ORACLE_1
        : Rule.ORACLE_2;
  }

  private boolean sawMoreTools() {
    return (symptom.isAnswerTo(Question.TOOL_COUNT) || symptom.isAnswerTo(Question.SUMMARY))
        && toolsIn(symptom.seen()) > toolsIn(symptom.expected());
  }

  private static long toolsIn(@Nullable Object answer) {
    return answer instanceof Long count ? count : answer instanceof Map<?, ?> map ? map.size() : 0;
  }

  /** Returns whether the gate stays right after all the reads that make the oracle wrong. */
  private boolean readsChangeNothing() {
    Script withGate = symptom.thenAskTheGate();
    return replay.run(withGate, Asking.BEFORE_THE_LAST_TWO, new CaseCount()).isEmpty();
  }

  // Variations.

  /**
   * Returns the broken rule of the same script with a cooldown. A minimal script often has no
   * cooldown, and then breaks rules that have nothing to do with the cooldown. This method adds a
   * cooldown, and waits for the cooldown to elapse. If the script still goes wrong, the new
   * difference leads to the broken rule.
   */
  private Optional<Rule> withCooldown() {
    Config config = script.config();
    if (config.recoveryNanos() != 0) {
      return Optional.empty();
    }
    int threshold = config.failureThreshold();
    long lease = config.probeTimeoutNanos();
    Config cooling = new Config(threshold, COOLDOWN, lease);
    Config patient = new Config(threshold, COOLDOWN, lease == 0 ? 0 : VERY_LONG);
    return ruleOf(script.slower(cooling, COOLDOWN))
        .or(() -> ruleOf(script.slower(patient, COOLDOWN).then(new Step.Advance(COOLDOWN))));
  }

  /** Returns the broken rule of the same script with a lease, which never expires in the script. */
  private Optional<Rule> withLease() {
    Config config = script.config();
    return config.probeTimeoutNanos() != 0
        ? Optional.empty()
        : ruleOf(
            script.slower(
                new Config(config.failureThreshold(), config.recoveryNanos(), VERY_LONG), 0));
  }

  private Rule ruleOf(Script other, Difference found) {
    return new Diagnosis(new Symptom(replay, other, found)).rule();
  }

  private Optional<Rule> ruleOf(Script other) {
    return symptom.differenceOf(other).map(found -> ruleOf(other, found));
  }
}

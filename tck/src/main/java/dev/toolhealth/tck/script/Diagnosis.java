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
 * Finds out which rule a subject breaks, by playing variations of a minimal script to it. The
 * difference that shows is often only a consequence: a success that wrongly closes an open breaker
 * shows as a gate that should have refused.
 */
final class Diagnosis {
  /** Longer scripts are not made minimal: it would take too long, and they are monotonous. */
  private static final int MAX_STEPS = 2_000;

  private static final long COOLDOWN = 1_000;

  /** Longer than any script that is played with it, and a round number in every unit. */
  static final long AGES = 1_000_000_000_000L;

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

  /** Names the rule, and tells the story. The script should be as short as it can be. */
  static Departure of(Replay replay, Script script, Difference difference) {
    Diagnosis diagnosis = new Diagnosis(new Symptom(replay, script, difference));
    return new Departure(
        diagnosis.rule(), diagnosis.story(), diagnosis.finding(), Departure.Evidence.CAUSE);
  }

  /**
   * Does the same for a script written by hand that has ended with a wrong answer.
   *
   * @param question what was asked, or null if it is the last step's own answer that is wrong
   */
  static Optional<Departure> ofScenario(
      Replay replay, Script script, @Nullable Question question, String about) {
    String tool = question == null || question.isAboutOneTool() ? about : "";
    if (script.steps().size() > MAX_STEPS) {
      return Optional.empty();
    }
    // In silence first: then it is this answer and no other that the minimal script ends with.
    Function<Script, Optional<Difference>> silently =
        shorter ->
            question == null
                ? replay.run(shorter, Asking.NEVER, new Tally())
                : replay.runThenAsk(shorter, question, tool);
    for (Function<Script, Optional<Difference>> way :
        List.of(silently, s -> replay.run(s, Asking.ALWAYS, new Tally()))) {
      Predicate<Script> differs = shorter -> way.apply(shorter).isPresent();
      if (differs.test(script)) {
        Script minimal = script.shortened(differs);
        return way.apply(minimal).map(difference -> of(replay, minimal, difference));
      }
    }
    return Optional.empty();
  }

  private Story story() {
    return Telling.of(
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
    if (goesRightUnseen()) {
      return looking();
    }
    if (symptom.tool().equals(Replay.UNSEEN)) {
      return Rule.REG_3;
    }
    return withCooldown()
        .or(this::withLease)
        .orElseGet(() -> new Surroundings(symptom).specify(shown(question)));
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

  /** An answer that follows from others is wrong: it is to blame if those are right. */
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
        if (wrong.isEmpty() && replay.runLookThenAsk(script, other, tool).isPresent()) {
          return Rule.ORACLE_2;
        }
      }
    }
    return expected;
  }

  /** Is it the oracle that is wrong, or what it tells of? The gate decides. */
  private Rule available() {
    String tool = symptom.tool();
    Script withGate = symptom.thenAskTheGate();
    if (!symptom.gateGoesRight(withGate)) {
      return breaker.rule();
    }
    if (replay.runLookThenAskGate(script, tool).isPresent()) {
      return replay.without(Question.ROUTE).runLookThenAskGate(script, tool).isPresent()
          ? Rule.ORACLE_2
          : Rule.ROUTE_5;
    }
    if (script.steps().isEmpty()) {
      return Rule.REG_3;
    }
    return symptom.isPoorAndClosed() ? Rule.ORACLE_3 : Rule.ORACLE_1;
  }

  // What is counted wrong, and where it leads wrong.

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

  // What goes wrong because somebody looks.

  private boolean goesRightUnseen() {
    Question question = symptom.question();
    return question == null
        ? symptom.gateGoesRight(script)
        : replay.runThenAsk(script, question, symptom.tool()).isEmpty();
  }

  private Rule looking() {
    if (symptom.contains(Step.Configure.class)) {
      return Rule.REG_4;
    }
    if (sawMoreTools()) {
      return Rule.REG_3;
    }
    if (replay.without(Question.ROUTE).run(script, Asking.ALWAYS, new Tally()).isEmpty()) {
      return symptom.isAnswerTo(Question.ROUTE) ? symptom.rule() : Rule.ROUTE_5;
    }
    if (symptom.isAnswerTo(Question.SUMMARY)) {
      return Rule.REG_5; // everything else is asked before it, and was right
    }
    return symptom.isAnswerTo(Question.AVAILABLE) && looksChangeNothing()
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

  /** Whether the gate goes right after all the looks that make the oracle go wrong. */
  private boolean looksChangeNothing() {
    Script withGate = symptom.thenAskTheGate();
    return replay.run(withGate, Asking.BEFORE_THE_LAST_TWO, new Tally()).isEmpty();
  }

  // Variations.

  /**
   * Scripts without a cooldown are short, and break much that has nothing to do with that. So one
   * is put in, and waited for. What still goes wrong then is what is wrong.
   */
  private Optional<Rule> withCooldown() {
    Config config = script.config();
    if (config.recoveryNanos() != 0) {
      return Optional.empty();
    }
    int threshold = config.failureThreshold();
    long lease = config.probeTimeoutNanos();
    Config cooling = new Config(threshold, COOLDOWN, lease);
    Config patient = new Config(threshold, COOLDOWN, lease == 0 ? 0 : AGES);
    return ruleOf(script.slower(cooling, COOLDOWN))
        .or(() -> ruleOf(script.slower(patient, COOLDOWN).then(new Step.Advance(COOLDOWN))));
  }

  /** The same with the lease, which nobody waits for. */
  private Optional<Rule> withLease() {
    Config config = script.config();
    return config.probeTimeoutNanos() != 0
        ? Optional.empty()
        : ruleOf(
            script.slower(new Config(config.failureThreshold(), config.recoveryNanos(), AGES), 0));
  }

  private Rule ruleOf(Script other, Difference found) {
    return new Diagnosis(new Symptom(replay, other, found)).rule();
  }

  private Optional<Rule> ruleOf(Script other) {
    return symptom.differenceOf(other).map(found -> ruleOf(other, found));
  }
}

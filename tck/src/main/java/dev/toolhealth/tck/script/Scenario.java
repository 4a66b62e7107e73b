package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A script written by hand, with what is expected spelled out. It reads as a list of steps:
 *
 * <pre>{@code
 * scenario.failures(3).at(30_000).available(true).granted().refused();
 * }</pre>
 *
 * <p>The first answer that is not the expected one ends it with a {@link Departure}. An expectation
 * that needs a capability which the subject does not claim is passed over. After every step some
 * things that hold always are looked at too: the oracle agrees with the gate, the total is the sum
 * of its parts, the EWMA is in its range. They belong to rules of their own, so they are noted and
 * the scenario goes on.
 */
public final class Scenario {
  private static final String DEFAULT_TOOL = "search";

  private final Rule rule;
  private final Adapter adapter;
  private final Set<Capability> capabilities;
  private final Stage stage;
  private final Telling telling;
  private String tool = DEFAULT_TOOL;
  private long expectations;
  private final Set<Rule> noted = EnumSet.noneOf(Rule.class);
  private final List<Departure> asides = new ArrayList<>();

  /**
   * Creates a registry and starts a scenario on it.
   *
   * @param adapter the subject's adapter
   * @param rule the rule to file a departure under
   * @param config the registry's configuration
   * @param clockStart what its clock shows at first
   */
  public Scenario(Adapter adapter, Rule rule, Config config, long clockStart) {
    this.rule = rule;
    this.adapter = adapter;
    this.capabilities = adapter.capabilities();
    this.telling = new Telling(config, clockStart);
    this.stage = Stage.create(adapter, config, clockStart, rule);
  }

  /**
   * Gives the registry itself.
   *
   * @return the subject
   */
  public Subject subject() {
    return stage.subject();
  }

  /**
   * Says how many answers were as expected so far.
   *
   * @return the number
   */
  public long expectations() {
    return expectations;
  }

  /**
   * Lists what was wrong besides, under other rules.
   *
   * @return the departures
   */
  public List<Departure> asides() {
    return List.copyOf(asides);
  }

  /**
   * Turns to another tool: the steps from here on are about it.
   *
   * @param tool the tool's name
   * @return this scenario
   */
  public Scenario tool(String tool) {
    this.tool = tool;
    return this;
  }

  /**
   * Sets the clock, forwards or back.
   *
   * @param elapsed the nanoseconds since the beginning
   * @return this scenario
   */
  public Scenario at(long elapsed) {
    Step step = new Step.Advance(elapsed - stage.elapsed());
    stage.setElapsed(elapsed);
    telling.add(step, Step.DONE);
    return checkInvariants();
  }

  /**
   * Lets time pass.
   *
   * @param nanos how much of it
   * @return this scenario
   */
  public Scenario advance(long nanos) {
    return at(stage.elapsed() + nanos);
  }

  /**
   * Records a success.
   *
   * @return this scenario
   */
  public Scenario success() {
    return success(1);
  }

  /**
   * Records a success.
   *
   * @param nanos the call's duration
   * @return this scenario
   */
  public Scenario success(long nanos) {
    return perform(new Step.RecordSuccess(tool, nanos));
  }

  /**
   * Records a failure.
   *
   * @return this scenario
   */
  public Scenario failure() {
    return failure(1);
  }

  /**
   * Records a failure.
   *
   * @param nanos the call's duration
   * @return this scenario
   */
  public Scenario failure(long nanos) {
    return perform(new Step.RecordFailure(tool, nanos));
  }

  /**
   * Records failures.
   *
   * @param count how many
   * @return this scenario
   */
  public Scenario failures(int count) {
    return repeat(new Step.RecordFailure(tool, 1), count);
  }

  /**
   * Records successes.
   *
   * @param count how many
   * @return this scenario
   */
  public Scenario successes(int count) {
    return repeat(new Step.RecordSuccess(tool, 1), count);
  }

  /**
   * Asks the gate, which must let the call through.
   *
   * @return this scenario
   */
  public Scenario granted() {
    return allowRequest(true);
  }

  /**
   * Asks the gate, which must refuse the call.
   *
   * @return this scenario
   */
  public Scenario refused() {
    return allowRequest(false);
  }

  /**
   * Asks the gate.
   *
   * @param expected its answer
   * @return this scenario
   */
  public Scenario allowRequest(boolean expected) {
    Object foretold = expected;
    if (claims(Capability.ORACLE)) {
      foretold = Replay.attempt(() -> subject().isToolAvailable(tool));
    }
    Step step = new Step.AllowRequest(tool);
    Object seen = Replay.attempt(() -> step.doTo(stage));
    telling.add(step, seen);
    compare(null, step.toString(), expected, seen);
    if (!foretold.equals(seen)) {
      note(
          Rule.ORACLE_1,
          Question.AVAILABLE,
          "isToolAvailable said %s, and allowRequest at the same instant %s"
              .formatted(foretold, seen));
    }
    return checkInvariants();
  }

  /**
   * Asks for a permit, which must be granted.
   *
   * @param permit what to call it
   * @return this scenario
   */
  public Scenario acquired(String permit) {
    return acquire(permit, Words.permit(true, 0));
  }

  /**
   * Asks for a permit, which must be refused.
   *
   * @param permit what to call it
   * @param retryAfterNanos how long it must say to wait
   * @return this scenario
   */
  public Scenario notAcquired(String permit, long retryAfterNanos) {
    return acquire(permit, Words.permit(false, retryAfterNanos));
  }

  private Scenario acquire(String permit, String expected) {
    Step step = new Step.Acquire(tool, permit);
    Object seen = Replay.attempt(() -> step.doTo(stage));
    telling.add(step, seen);
    compare(null, step.toString(), expected, seen);
    return checkInvariants();
  }

  /**
   * Reports a success by a permit.
   *
   * @param permit the permit
   * @return this scenario
   */
  public Scenario succeeds(String permit) {
    return perform(new Step.UsePermit(tool, permit, Step.Use.SUCCESS));
  }

  /**
   * Reports a failure by a permit.
   *
   * @param permit the permit
   * @return this scenario
   */
  public Scenario fails(String permit) {
    return perform(new Step.UsePermit(tool, permit, Step.Use.FAILURE));
  }

  /**
   * Cancels a permit.
   *
   * @param permit the permit
   * @return this scenario
   */
  public Scenario cancels(String permit) {
    return perform(new Step.UsePermit(tool, permit, Step.Use.CANCEL));
  }

  /**
   * Closes a permit.
   *
   * @param permit the permit
   * @return this scenario
   */
  public Scenario closes(String permit) {
    return perform(new Step.UsePermit(tool, permit, Step.Use.CLOSE));
  }

  /**
   * Asks for a handle on the tool; the steps from here on that are about the tool go by it.
   *
   * @return this scenario
   */
  public Scenario handle() {
    return perform(new Step.GetHandle(tool));
  }

  /**
   * Goes to the tool by its name again.
   *
   * @return this scenario
   */
  public Scenario byName() {
    return perform(new Step.GoBy(tool, false));
  }

  /**
   * Goes to the tool by the handle again that was asked for last.
   *
   * @return this scenario
   */
  public Scenario byHandle() {
    return perform(new Step.GoBy(tool, true));
  }

  /**
   * Configures the registry anew.
   *
   * @param config the configuration
   * @return this scenario
   */
  public Scenario configure(Config config) {
    return perform(new Step.Configure(config));
  }

  /**
   * Sets the tool's substitutes.
   *
   * @param fallbacks their names
   * @return this scenario
   */
  public Scenario fallbacks(String... fallbacks) {
    return perform(new Step.SetFallbacks(tool, List.of(fallbacks)));
  }

  /**
   * Asks the oracle, if there is one.
   *
   * @param expected its answer
   * @return this scenario
   */
  public Scenario available(boolean expected) {
    return expect(Question.AVAILABLE, expected);
  }

  /**
   * Looks at the breaker's state, if that can be seen.
   *
   * @param expected the state
   * @return this scenario
   */
  public Scenario state(CircuitState expected) {
    return expect(Question.STATE, expected);
  }

  /**
   * Looks at the run of failures, if that can be seen.
   *
   * @param expected how many came in a row
   * @return this scenario
   */
  public Scenario consecutiveFailures(long expected) {
    return expect(Question.CONSECUTIVE_FAILURES, expected);
  }

  /**
   * Looks at the counts, if they can be seen.
   *
   * @param successes how many calls succeeded
   * @param failures how many failed
   * @return this scenario
   */
  public Scenario counts(long successes, long failures) {
    return expect(Question.SUCCESSES, successes)
        .expect(Question.FAILURES, failures)
        .expect(Question.TOTAL, successes + failures);
  }

  /**
   * Looks at the success rate, if that can be seen.
   *
   * @param expected the rate
   * @return this scenario
   */
  public Scenario successRate(double expected) {
    return expect(Question.SUCCESS_RATE, expected);
  }

  /**
   * Looks at the sum of durations, if that can be seen.
   *
   * @param expected the nanoseconds
   * @return this scenario
   */
  public Scenario durationSum(long expected) {
    return expect(Question.DURATION_SUM, expected);
  }

  /**
   * Looks at the average duration, if that can be seen.
   *
   * @param expected the nanoseconds
   * @return this scenario
   */
  public Scenario averageDuration(long expected) {
    return expect(Question.AVERAGE_DURATION, expected);
  }

  /**
   * Looks at the maximum duration, if that can be seen.
   *
   * @param expected the nanoseconds
   * @return this scenario
   */
  public Scenario maxDuration(long expected) {
    return expect(Question.MAX_DURATION, expected);
  }

  /**
   * Looks at the EWMA, if that can be seen.
   *
   * @param expected the EWMA
   * @return this scenario
   */
  public Scenario ewma(long expected) {
    return expect(Question.EWMA, expected);
  }

  /**
   * Looks at the score, if that can be seen.
   *
   * @param expected the score
   * @return this scenario
   */
  public Scenario score(double expected) {
    return expect(Question.SCORE, expected);
  }

  /**
   * Looks at the status, if that can be seen.
   *
   * @param expected the status
   * @return this scenario
   */
  public Scenario status(HealthStatus expected) {
    return expect(Question.STATUS, expected);
  }

  /**
   * Counts the tools, if that can be done.
   *
   * @param expected how many there are
   * @return this scenario
   */
  public Scenario toolCount(long expected) {
    return expect(Question.TOOL_COUNT, expected);
  }

  /**
   * Routes a call of the tool, if that can be done.
   *
   * @param expected the name of the tool to call
   * @return this scenario
   */
  public Scenario route(String expected) {
    return expect(Question.ROUTE, expected);
  }

  /**
   * Asks for the summary, if that can be done.
   *
   * @param expected an entry for each tool
   * @return this scenario
   */
  public Scenario summary(Map<String, SummaryEntry> expected) {
    return expect(Question.SUMMARY, expected);
  }

  /**
   * Asks everything that can be asked about the tool and about all, for its side effects.
   *
   * @return the answers
   */
  public Map<String, Object> askEverything() {
    return Question.askAll(subject(), tool, capabilities);
  }

  /**
   * Compares two things that must be equal.
   *
   * @param what what they are
   * @param expected the one
   * @param seen the other
   * @return this scenario
   */
  public Scenario equal(String what, Object expected, Object seen) {
    expectations++;
    if (!Question.agree(expected, seen)) {
      throw told(rule, Finding.comparison(what, expected, seen));
    }
    return this;
  }

  private boolean claims(Capability capability) {
    return capabilities.contains(capability);
  }

  private Scenario perform(Step step) {
    return repeat(step, 1);
  }

  private Scenario repeat(Step step, int count) {
    for (int before = 0; before < count; before++) {
      Object seen = Replay.attempt(() -> step.doTo(stage));
      if (!seen.equals(Step.DONE)) {
        telling.add(step, before);
        telling.add(step, seen);
        throw departure(
            rule, null, Finding.sentence("step %d %s".formatted(telling.steps(), seen)));
      }
    }
    telling.add(step, count);
    return checkInvariants();
  }

  private Scenario expect(Question question, Object expected) {
    if (capabilities.containsAll(question.needs())) {
      compare(
          question,
          question.wording(tool),
          expected,
          Replay.attempt(() -> question.ask(subject(), tool)));
    }
    return this;
  }

  private void compare(@Nullable Question question, String asked, Object expected, Object seen) {
    expectations++;
    if (!Question.agree(expected, seen)) {
      throw departure(rule, question, Finding.comparison(asked, expected, seen));
    }
  }

  private Scenario checkInvariants() {
    if (claims(Capability.STATISTICS)) {
      Object statistics = Replay.attempt(() -> subject().statistics(tool));
      if (!(statistics instanceof Statistics s)
          || s.total() != s.successes() + s.failures()
          || s.durationSumNanos() < 0) {
        note(Rule.STAT_1, Question.TOTAL, "impossible counters: " + statistics);
      }
    }
    if (claims(Capability.SCORE)) {
      Object ewma = Replay.attempt(() -> subject().ewma(tool));
      if (!(ewma instanceof Long e) || e < 0 || e > 1_000_000) {
        note(Rule.SCORE_1, Question.EWMA, "impossible EWMA: " + ewma);
      }
    }
    return this;
  }

  private void note(Rule broken, Question question, String finding) {
    if (noted.add(broken)) {
      asides.add(departure(broken, question, Finding.sentence(finding)));
    }
  }

  /**
   * Makes the script minimal, and finds out whether this rule is broken or another: then that is
   * noted as well, and comes first.
   */
  private Departure departure(Rule broken, @Nullable Question question, Finding finding) {
    Script script = telling.script();
    Optional<Departure> minimal =
        script.timeFalls()
            ? Optional.empty()
            : Diagnosis.ofScenario(new Replay(adapter), script, question, tool);
    if (minimal.isEmpty()) {
      return told(broken, finding);
    }
    if (minimal.get().rule() == broken) {
      return minimal.get();
    }
    asides.add(minimal.get());
    return minimal.get().asConsequence(broken);
  }

  /** The whole story, as it was played. */
  private Departure told(Rule broken, Finding finding) {
    return new Departure(broken, telling.story(), finding, Departure.Evidence.SYMPTOM);
  }
}

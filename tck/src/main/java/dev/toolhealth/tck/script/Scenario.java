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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A hand-written script with the expected answers. A scenario reads as a list of steps:
 *
 * <pre>{@code
 * scenario.failures(3).at(30_000).available(true).granted().refused();
 * }</pre>
 *
 * <p>The first unexpected answer ends the scenario with a {@link Departure}. The scenario skips
 * expectations about capabilities that the subject does not claim.
 *
 * <p>After every step, the scenario also checks invariants: the oracle agrees with the gate, the
 * total is the sum of successes and failures, and the EWMA is within its range. A broken invariant
 * belongs to another rule, so the scenario notes the departure and continues.
 */
public final class Scenario {
  private static final String DEFAULT_TOOL = "search";

  private final Rule rule;
  private final Adapter adapter;
  private final Set<Capability> capabilities;
  private final Stage stage;
  private final StoryRecorder recorder;
  private String tool = DEFAULT_TOOL;
  private long expectations;
  private final Set<Rule> noted = EnumSet.noneOf(Rule.class);
  private final List<Departure> asides = new ArrayList<>();

  /**
   * Creates a registry and starts a scenario.
   *
   * @param adapter the subject's adapter
   * @param rule the rule that a departure names
   * @param config the registry's configuration
   * @param clockStart the first reading of the clock
   */
  public Scenario(Adapter adapter, Rule rule, Config config, long clockStart) {
    this.rule = rule;
    this.adapter = adapter;
    this.capabilities = adapter.capabilities();
    this.recorder = new StoryRecorder(config, clockStart);
    this.stage = Stage.create(adapter, config, clockStart, rule);
  }

  /**
   * Returns the registry itself.
   *
   * @return the subject
   */
  public Subject subject() {
    return stage.subject();
  }

  /**
   * Returns the number of answers that were as expected so far.
   *
   * @return the number
   */
  public long expectations() {
    return expectations;
  }

  /**
   * Returns the departures from other rules that the scenario has noted.
   *
   * @return the departures
   */
  public List<Departure> asides() {
    return List.copyOf(asides);
  }

  /**
   * Switches to another tool: all following steps are about this tool.
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
   * @param elapsed the nanoseconds since the scenario's start
   * @return this scenario
   */
  public Scenario at(long elapsed) {
    Step step = new Step.Advance(elapsed - stage.elapsed());
    stage.setElapsed(elapsed);
    recorder.add(step, Step.DONE);
    return checkInvariants();
  }

  /**
   * Advances the clock.
   *
   * @param nanos the nanoseconds
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
   * @param count the number of failures
   * @return this scenario
   */
  public Scenario failures(int count) {
    return repeat(new Step.RecordFailure(tool, 1), count);
  }

  /**
   * Records successes.
   *
   * @param count the number of successes
   * @return this scenario
   */
  public Scenario successes(int count) {
    return repeat(new Step.RecordSuccess(tool, 1), count);
  }

  /**
   * Asks the gate, which must admit the call.
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
   * @param expected the gate's answer
   * @return this scenario
   */
  public Scenario allowRequest(boolean expected) {
    Object foretold = expected;
    if (claims(Capability.ORACLE)) {
      foretold = Replay.attempt(() -> subject().isToolAvailable(tool));
    }
    Step step = new Step.AllowRequest(tool);
    Object seen = Replay.attempt(() -> step.doTo(stage));
    recorder.add(step, seen);
    compare(null, step::toString, expected, seen);
    if (!foretold.equals(seen)) {
      note(
          Rule.ORACLE_1,
          Question.AVAILABLE,
          "isToolAvailable answered %s, but allowRequest answered %s at the same instant"
              .formatted(foretold, seen));
    }
    return checkInvariants();
  }

  /**
   * Requests a permit, which must be granted.
   *
   * @param permit the permit's name in the script
   * @return this scenario
   */
  public Scenario acquired(String permit) {
    return acquire(permit, Words.permit(true, 0));
  }

  /**
   * Requests a permit, which must be refused.
   *
   * @param permit the permit's name in the script
   * @param retryAfterNanos the waiting time that the permit must state
   * @return this scenario
   */
  public Scenario notAcquired(String permit, long retryAfterNanos) {
    return acquire(permit, Words.permit(false, retryAfterNanos));
  }

  private Scenario acquire(String permit, String expected) {
    Step step = new Step.Acquire(tool, permit);
    Object seen = Replay.attempt(() -> step.doTo(stage));
    recorder.add(step, seen);
    compare(null, step::toString, expected, seen);
    return checkInvariants();
  }

  /**
   * Reports a success with a permit.
   *
   * @param permit the permit
   * @return this scenario
   */
  public Scenario succeeds(String permit) {
    return perform(new Step.UsePermit(tool, permit, Step.Use.SUCCESS));
  }

  /**
   * Reports a failure with a permit.
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
   * Requests a handle on the tool. All following steps about the tool use the handle.
   *
   * @return this scenario
   */
  public Scenario handle() {
    return perform(new Step.GetHandle(tool));
  }

  /**
   * Stops using the tool's handle: all following steps use the tool's name.
   *
   * @return this scenario
   */
  public Scenario byName() {
    return perform(new Step.GoBy(tool, false));
  }

  /**
   * Uses the tool's latest handle again.
   *
   * @return this scenario
   */
  public Scenario byHandle() {
    return perform(new Step.GoBy(tool, true));
  }

  /**
   * Reconfigures the registry.
   *
   * @param config the configuration
   * @return this scenario
   */
  public Scenario configure(Config config) {
    return perform(new Step.Configure(config));
  }

  /**
   * Sets the tool's fallbacks.
   *
   * @param fallbacks the names of the fallbacks, in order
   * @return this scenario
   */
  public Scenario fallbacks(String... fallbacks) {
    return perform(new Step.SetFallbacks(tool, List.of(fallbacks)));
  }

  /**
   * Checks the oracle's answer, if the subject claims an oracle.
   *
   * @param expected the answer
   * @return this scenario
   */
  public Scenario available(boolean expected) {
    return expect(Question.AVAILABLE, expected);
  }

  /**
   * Checks the breaker's state, if the subject shows it.
   *
   * @param expected the state
   * @return this scenario
   */
  public Scenario state(CircuitState expected) {
    return expect(Question.STATE, expected);
  }

  /**
   * Checks the consecutive failures, if the subject shows them.
   *
   * @param expected the number
   * @return this scenario
   */
  public Scenario consecutiveFailures(long expected) {
    return expect(Question.CONSECUTIVE_FAILURES, expected);
  }

  /**
   * Checks the counts of outcomes, if the subject shows them.
   *
   * @param successes the number of successes
   * @param failures the number of failures
   * @return this scenario
   */
  public Scenario counts(long successes, long failures) {
    return expect(Question.SUCCESSES, successes)
        .expect(Question.FAILURES, failures)
        .expect(Question.TOTAL, successes + failures);
  }

  /**
   * Checks the success rate, if the subject shows it.
   *
   * @param expected the rate
   * @return this scenario
   */
  public Scenario successRate(double expected) {
    return expect(Question.SUCCESS_RATE, expected);
  }

  /**
   * Checks the sum of durations, if the subject shows it.
   *
   * @param expected the nanoseconds
   * @return this scenario
   */
  public Scenario durationSum(long expected) {
    return expect(Question.DURATION_SUM, expected);
  }

  /**
   * Checks the average duration, if the subject shows it.
   *
   * @param expected the nanoseconds
   * @return this scenario
   */
  public Scenario averageDuration(long expected) {
    return expect(Question.AVERAGE_DURATION, expected);
  }

  /**
   * Checks the maximum duration, if the subject shows it.
   *
   * @param expected the nanoseconds
   * @return this scenario
   */
  public Scenario maxDuration(long expected) {
    return expect(Question.MAX_DURATION, expected);
  }

  /**
   * Checks the EWMA, if the subject shows it.
   *
   * @param expected the EWMA
   * @return this scenario
   */
  public Scenario ewma(long expected) {
    return expect(Question.EWMA, expected);
  }

  /**
   * Checks the score, if the subject shows it.
   *
   * @param expected the score
   * @return this scenario
   */
  public Scenario score(double expected) {
    return expect(Question.SCORE, expected);
  }

  /**
   * Checks the status, if the subject shows it.
   *
   * @param expected the status
   * @return this scenario
   */
  public Scenario status(HealthStatus expected) {
    return expect(Question.STATUS, expected);
  }

  /**
   * Checks the number of tools, if the subject shows it.
   *
   * @param expected the number
   * @return this scenario
   */
  public Scenario toolCount(long expected) {
    return expect(Question.TOOL_COUNT, expected);
  }

  /**
   * Checks the route of a call of the tool, if the subject can route calls.
   *
   * @param expected the name of the tool to call
   * @return this scenario
   */
  public Scenario route(String expected) {
    return expect(Question.ROUTE, expected);
  }

  /**
   * Checks the summary, if the subject has one.
   *
   * @param expected an entry for each tool
   * @return this scenario
   */
  public Scenario summary(Map<String, SummaryEntry> expected) {
    return expect(Question.SUMMARY, expected);
  }

  /**
   * Asks all questions about the tool and about the registry, for the side effects that they must
   * not have.
   *
   * @return the answers
   */
  public Map<String, Object> askEverything() {
    return Question.askAll(subject(), tool, capabilities);
  }

  /**
   * Compares two values that must be equal.
   *
   * @param what a description of the values
   * @param expected the expected value
   * @param seen the actual value
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
        recorder.add(step, before);
        recorder.add(step, seen);
        throw departure(
            rule, null, Finding.sentence("step %d %s".formatted(recorder.steps(), seen)));
      }
    }
    recorder.add(step, count);
    return checkInvariants();
  }

  private Scenario expect(Question question, Object expected) {
    if (capabilities.containsAll(question.needs())) {
      compare(
          question,
          () -> question.wording(tool),
          expected,
          Replay.attempt(() -> question.ask(subject(), tool)));
    }
    return this;
  }

  private void compare(
      @Nullable Question question, Supplier<String> asked, Object expected, Object seen) {
    expectations++;
    if (!Question.agree(expected, seen)) {
      throw departure(rule, question, Finding.comparison(asked.get(), expected, seen));
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
   * Minimizes the script and diagnoses the broken rule. If another rule is broken, this method
   * notes a departure from the other rule, and the returned departure names the other rule as the
   * cause.
   */
  private Departure departure(Rule broken, @Nullable Question question, Finding finding) {
    Script script = recorder.script();
    Optional<Departure> minimal =
        script.clockStepsBack()
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

  /** Creates a departure with the whole script, as the scenario has played it. */
  private Departure told(Rule broken, Finding finding) {
    return new Departure(broken, recorder.story(), finding, Departure.Evidence.SYMPTOM);
  }
}

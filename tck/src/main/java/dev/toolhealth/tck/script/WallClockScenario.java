package dev.toolhealth.tck.script;

import static org.awaitility.Awaitility.await;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A hand-written script for a subject without a manual clock.
 *
 * <p>The scenario skips expectations about capabilities that the subject does not claim.
 */
public final class WallClockScenario {
  /*
   * The kit reads the clock before and after each call. The call takes effect at an unknown instant
   * between the two readings. Take an event that is due a time d after a call. The event cannot be
   * due before the call's begin plus d. The event is certainly due after the call's end plus d. The
   * kit concludes nothing else about time:
   *
   * - An event came too early only if the answer that shows the event was complete before the
   *   event could be due, less the slack. A later answer proves nothing.
   * - An event came too late only if the event has still not happened long after it was certainly
   *   due.
   *
   * So the kit never blames a correct subject, however slow the machine is: on a slow machine only
   * fewer answers count. If too few answers count, the round is void.
   *
   * A subject may use the time of day instead of the monotonic clock. If the two clocks disagree,
   * because somebody adjusted a clock or suspended the machine, the kit cannot know the subject's
   * time, and the round is void.
   */

  private static final String DEFAULT_TOOL = "search";

  /** The number of polls in one unit. */
  private static final int POLLS_PER_UNIT = 50;

  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  private final Rule rule;
  private final Set<Capability> capabilities;
  private final Subject subject;
  private final long patience;
  private final long slack;
  private final long unit;
  private final long startNanos;
  private final long startMillis;
  private final String setting;
  private final List<Story.Moment> story = new ArrayList<>();
  private String tool = DEFAULT_TOOL;
  private long expectations;

  WallClockScenario(Adapter adapter, Rule rule, Config config, Waits waits, long unit) {
    this.rule = rule;
    this.capabilities = adapter.capabilities();
    this.patience = waits.patienceNanos();
    this.slack = waits.slackNanos();
    this.unit = unit;
    this.setting = "with " + Words.config(config) + ", on the real clock";
    this.subject = Stage.subject(adapter, config, System::nanoTime, rule);
    this.startNanos = System.nanoTime();
    this.startMillis = System.currentTimeMillis();
  }

  /**
   * Returns the registry itself.
   *
   * @return the subject
   */
  public Subject subject() {
    return subject;
  }

  long expectations() {
    return expectations;
  }

  /**
   * Switches to another tool: all following steps are about this tool.
   *
   * @param tool the tool's name
   * @return this scenario
   */
  public WallClockScenario tool(String tool) {
    this.tool = tool;
    return this;
  }

  /**
   * Records a success.
   *
   * @return the call
   */
  public Call success() {
    return perform(new Step.RecordSuccess(tool, 1), () -> subject.recordSuccess(tool, 1));
  }

  /**
   * Records a failure.
   *
   * @return the call
   */
  public Call failure() {
    return perform(new Step.RecordFailure(tool, 1), () -> subject.recordFailure(tool, 1));
  }

  /**
   * Records failures.
   *
   * @param count the number of failures, at least 1
   * @return the last call
   */
  public Call failures(int count) {
    for (int i = 1; i < count; i++) {
      failure();
    }
    return failure();
  }

  /**
   * Reconfigures the registry.
   *
   * @param config the configuration
   */
  public void configure(Config config) {
    perform(new Step.Configure(config), () -> subject.configure(config));
  }

  /**
   * Sets the tool's fallbacks.
   *
   * @param fallbacks the names of the fallbacks, in order
   */
  public void fallbacks(String... fallbacks) {
    List<String> names = List.of(fallbacks);
    perform(new Step.SetFallbacks(tool, names), () -> subject.setFallbacks(tool, names));
  }

  /**
   * Waits until an event is certainly due.
   *
   * @param since the call from which the time counts
   * @param nanos the time after the call at which the event is due
   */
  public void pass(Call since, long nanos) {
    addStep("wait until", since, nanos);
    long rest = Math.max(0, nanos + slack - (System.nanoTime() - since.end()));
    poll().pollDelay(Duration.ofNanos(rest)).forever().until(() -> isPast(since, nanos));
  }

  /**
   * Expects answers that are right now and stay right until the next operation.
   *
   * @param expected the answers
   * @return the last call
   */
  public Call expect(Expectation... expected) {
    Call last = new Call(story.size(), System.nanoTime(), System.nanoTime());
    for (Expectation expectation : claimed(expected)) {
      last = require(expectation, "");
    }
    return last;
  }

  /**
   * Expects answers that stay right until an event is due. A wrong answer makes the round void if
   * the event may have happened by then.
   *
   * @param since the call from which the time counts
   * @param nanos the time after the call at which the event is due
   * @param expected the answers
   */
  public void expectWithin(Call since, long nanos, Expectation... expected) {
    for (Expectation expectation : claimed(expected)) {
      Asked asked = ask(expectation);
      boolean inTime = isWithin(asked.call(), since, nanos);
      if (!asked.isAsExpected()) {
        throw inTime ? tooEarly(asked, since, nanos) : tooSlow(since);
      }
      expectations += inTime ? 1 : 0;
    }
  }

  /**
   * Expects answers that stay right until an event is due, and asks repeatedly until shortly
   * before.
   *
   * @param since the call from which the time counts
   * @param nanos the time after the call at which the event is due
   * @param expected the answers
   */
  public void expectUntil(Call since, long nanos, Expectation... expected) {
    List<Expectation> claimed = claimed(expected);
    Set<Expectation> seenAtTheEnd = new HashSet<>();
    addStep("ask repeatedly until", since, nanos);
    askUntil(() -> askedUntil(since, nanos, claimed, seenAtTheEnd));
    if (seenAtTheEnd.size() < claimed.size()) {
      throw tooSlow(since);
    }
  }

  /** Asks once more, and returns whether this was the last time before the event may be due. */
  private boolean askedUntil(
      Call since, long nanos, List<Expectation> claimed, Set<Expectation> seenAtTheEnd) {
    for (Expectation expectation : claimed) {
      if (System.nanoTime() - since.begin() >= nanos - slack) {
        return true;
      }
      Asked asked = ask(expectation);
      if (!isWithin(asked.call(), since, nanos)) {
        if (expectation.isOfTheGate() && !asked.isAsExpected()) {
          throw tooSlow(since); // this answer has granted a probe that the script does not expect
        }
        return true;
      }
      if (!asked.isAsExpected()) {
        throw tooEarly(asked, since, nanos);
      }
      expectations++;
      if (asked.call().begin() - since.end() >= nanos - unit / 2) {
        seenAtTheEnd.add(expectation);
      }
    }
    return claimed.isEmpty();
  }

  /**
   * Expects answers that stay right although a time passes, and asks repeatedly until the time has
   * certainly passed.
   *
   * @param since the call from which the time counts
   * @param nanos the time after the call
   * @param expected the answers
   */
  public void expectThroughout(Call since, long nanos, Expectation... expected) {
    addStep("ask repeatedly until", since, nanos);
    askUntil(
        () -> {
          boolean past = isPast(since, nanos); // read first: the last answers come after this time
          expect(expected);
          return past;
        });
  }

  /**
   * Waits until an event is certainly due, and expects it to happen.
   *
   * @param since the call from which the time counts
   * @param nanos the time after the call at which the event is due
   * @param expected the answer that shows the event
   * @return the call that showed the event
   */
  public Call expectAfter(Call since, long nanos, Expectation expected) {
    pass(since, nanos);
    return expectSoon(expected);
  }

  /**
   * Expects an event that is due to happen within the patience.
   *
   * @param expected the answer that shows the event
   * @return the call that showed the event
   */
  public Call expectSoon(Expectation expected) {
    if (claimed(expected).isEmpty()) {
      return expect();
    }
    AtomicReference<@Nullable Asked> met = new AtomicReference<>();
    AtomicReference<@Nullable Asked> previous = new AtomicReference<>();
    BooleanSupplier happened =
        () -> {
          Asked asked = ask(expected);
          requireSteadyPolling(previous.getAndSet(asked), asked);
          met.compareAndSet(null, asked.isAsExpected() ? asked : null);
          return asked.isAsExpected();
        };
    try {
      poll()
          .pollDelay(Duration.ZERO)
          .atMost(Duration.ofNanos(patience))
          .until(happened::getAsBoolean);
    } catch (ConditionTimeoutException e) {
      // Awaitility also throws if the last answer was right but took long. It counts below.
    }
    Asked asked = met.get();
    if (asked == null) {
      // At this question, the event is overdue by the patience, however late the earlier answers
      // came.
      return require(expected, " (overdue by %s)".formatted(millis(patience)));
    }
    expectations++;
    return asked.call();
  }

  /**
   * Requires that the kit has asked the gate without a long pause. A faulty subject may postpone a
   * grant at each gate call. The kit catches this mistake only by asking repeatedly, so a grant
   * after a pause proves nothing.
   */
  private void requireSteadyPolling(@Nullable Asked previous, Asked asked) {
    if (previous != null
        && asked.expectation().isOfTheGate()
        && asked.isAsExpected()
        && asked.call().begin() - previous.call().begin() > unit / 2) {
      throw new VoidRound("the machine was too slow to ask the gate often enough");
    }
  }

  /**
   * Makes the round void unless a call has certainly taken effect before an event was due.
   *
   * @param call the call
   * @param since the call from which the time counts
   * @param nanos the time after that call at which the event is due
   */
  public void requireWithin(Call call, Call since, long nanos) {
    if (!isWithin(call, since, nanos)) {
      throw tooSlow(since);
    }
  }

  /**
   * Asks all questions about the tool and about the registry, for the side effects that they must
   * not have.
   *
   * @return the answers
   */
  public Map<String, Object> askEverything() {
    return Question.askAll(subject, tool, capabilities);
  }

  /**
   * Compares two values that must be equal.
   *
   * @param what a description of the values
   * @param expected the expected value
   * @param seen the actual value
   */
  public void equal(String what, Object expected, Object seen) {
    expectations++;
    if (!expected.equals(seen)) {
      throw departure(Finding.comparison(what, expected, seen));
    }
  }

  private record Asked(Call call, Expectation expectation, String wording, Object seen) {
    boolean isAsExpected() {
      return expectation.isMetBy(seen);
    }
  }

  private List<Expectation> claimed(Expectation... expected) {
    return Arrays.stream(expected).filter(e -> capabilities.containsAll(e.needs())).toList();
  }

  private Call perform(Step step, Runnable call) {
    long begin = System.nanoTime();
    Object seen =
        Replay.attempt(
            () -> {
              call.run();
              return Step.DONE;
            });
    Call performed = addCall(step.toString(), seen.equals(Step.DONE) ? "" : seen, begin);
    if (!seen.equals(Step.DONE)) {
      throw departure(Finding.sentence("step %d %s".formatted(performed.step(), seen)));
    }
    return performed;
  }

  private Asked ask(Expectation expectation) {
    String wording = expectation.wording(tool);
    Supplier<Object> question = () -> expectation.ask(subject, tool);
    long begin = System.nanoTime();
    Object seen = Replay.attempt(question);
    Call call =
        expectation.isOfTheGate()
            ? addCall(wording, seen, begin)
            : new Call(story.size(), begin, System.nanoTime());
    return new Asked(call, expectation, wording, seen);
  }

  private Call require(Expectation expectation, String explanation) {
    Asked asked = ask(expectation);
    if (!asked.isAsExpected()) {
      throw departure(
          Finding.comparison(asked.wording(), expectation.value() + explanation, asked.seen()));
    }
    expectations++;
    return asked.call();
  }

  private boolean isWithin(Call call, Call since, long nanos) {
    return call.end() - since.begin() < nanos - slack;
  }

  private boolean isPast(Call since, long nanos) {
    return System.nanoTime() - since.end() >= nanos + slack;
  }

  private void askUntil(BooleanSupplier done) {
    poll().pollDelay(Duration.ZERO).forever().until(done::getAsBoolean);
  }

  /** Polls in the calling thread. Otherwise Awaitility would start a new thread for each wait. */
  private ConditionFactory poll() {
    return await()
        .pollInSameThread()
        .dontCatchUncaughtExceptions()
        .pollInterval(Duration.ofNanos(unit / POLLS_PER_UNIT));
  }

  private RuntimeException tooEarly(Asked asked, Call since, long nanos) {
    if (!asked.expectation().isOfTheGate()) {
      addStep(asked.wording(), asked.seen(), asked.call().end());
    }
    return departure(
        Finding.comparison(
            asked.wording(),
            "%s until %s after step %d"
                .formatted(asked.expectation().value(), Words.nanos(nanos), since.step()),
            asked.seen()));
  }

  private static VoidRound tooSlow(Call since) {
    return new VoidRound("the answers after step " + since.step() + " came too late to count");
  }

  private RuntimeException departure(Finding finding) {
    return clocksAgree()
        ? new Departure(
            rule,
            new Story.Watched(setting, List.copyOf(story)),
            finding,
            Departure.Evidence.SYMPTOM)
        : new VoidRound("a clock was adjusted, or the machine was suspended");
  }

  private boolean clocksAgree() {
    long nanos = System.nanoTime() - startNanos;
    long millis = System.currentTimeMillis() - startMillis;
    return Math.abs(nanos - MILLISECOND * millis) <= slack + 2 * MILLISECOND;
  }

  /** Adds a call that has just ended to the story, and returns the call. */
  private Call addCall(String what, Object answer, long begin) {
    long end = System.nanoTime();
    addStep(what, answer, end);
    return new Call(story.size(), begin, end);
  }

  /** Adds a step to the story. If the step repeats the previous one, only the count increases. */
  private void addStep(String what, Object answer, long end) {
    int last = story.size() - 1;
    int times = 1;
    if (last >= 0
        && story.get(last).what().equals(what)
        && story.get(last).answer().equals(answer.toString())) {
      times += story.remove(last).times();
    }
    story.add(new Story.Moment(what, answer.toString(), times, millis(end - startNanos)));
  }

  private void addStep(String what, Call since, long nanos) {
    String until = "%s %s after step %d".formatted(what, Words.nanos(nanos), since.step());
    story.add(new Story.Moment(until, "", 1, ""));
  }

  private static String millis(long nanos) {
    return nanos / MILLISECOND + " ms";
  }
}

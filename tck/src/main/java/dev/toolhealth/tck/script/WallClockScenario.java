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
 * A script written by hand for a subject whose clock nobody can set.
 *
 * <p>An expectation that needs a capability which the subject does not claim is passed over.
 */
public final class WallClockScenario {
  /*
   * A call takes effect at some instant between the kit's two looks at the clock, before it and
   * after it. What is due a while after a call is therefore due at no time before the call's
   * beginning and that while, and surely due after its end and that while. Nothing else about
   * time is concluded:
   *
   * - What must not happen yet is held against the subject only if the answer that shows it was
   *   back before it can have been due, less the slack. An answer that came later shows nothing.
   * - What must happen is waited for, until long after it was surely due.
   *
   * However slow the machine is, a correct subject is thus not accused: slowness only makes fewer
   * answers count. If too few do the round is void.
   *
   * A subject may go by the time of day instead. Where the two clocks disagree, since one of them
   * was set or the machine was suspended, there is no telling what it saw, and the round is void.
   */

  private static final String DEFAULT_TOOL = "search";

  /** Between looks, as a part of the unit. */
  private static final int LOOKS_PER_UNIT = 50;

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
   * Gives the registry itself.
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
   * Turns to another tool: the steps from here on are about it.
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
   * @param count how many, at least one
   * @return the last call
   */
  public Call failures(int count) {
    for (int i = 1; i < count; i++) {
      failure();
    }
    return failure();
  }

  /**
   * Configures the registry anew.
   *
   * @param config the configuration
   */
  public void configure(Config config) {
    perform(new Step.Configure(config), () -> subject.configure(config));
  }

  /**
   * Sets the tool's substitutes.
   *
   * @param fallbacks their names
   */
  public void fallbacks(String... fallbacks) {
    List<String> names = List.of(fallbacks);
    perform(new Step.SetFallbacks(tool, names), () -> subject.setFallbacks(tool, names));
  }

  /**
   * Lets time pass until something is surely due.
   *
   * @param since the call that it counts from
   * @param nanos how long after that call it is due
   */
  public void pass(Call since, long nanos) {
    tell("wait until", since, nanos);
    long rest = Math.max(0, nanos + slack - (System.nanoTime() - since.end()));
    poll().pollDelay(Duration.ofNanos(rest)).forever().until(() -> isPast(since, nanos));
  }

  /**
   * Expects something at this instant as at any other, until somebody calls.
   *
   * @param expected the answers
   * @return the last call
   */
  public Call expect(Expectation... expected) {
    Call last = new Call(story.size(), System.nanoTime(), System.nanoTime());
    for (Expectation expectation : claimed(expected)) {
      last = demand(expectation, "");
    }
    return last;
  }

  /**
   * Expects something now if it is surely not too late for that: what ends it may be due.
   *
   * @param since the call that the end counts from
   * @param nanos how long after that call it is due
   * @param expected the answers
   */
  public void expectWithin(Call since, long nanos, Expectation... expected) {
    for (Expectation expectation : claimed(expected)) {
      Asked asked = ask(expectation);
      boolean inTime = isWithin(asked.call(), since, nanos);
      if (!asked.isAsExpected()) {
        throw inTime ? early(asked, since, nanos) : tooSlow(since);
      }
      expectations += inTime ? 1 : 0;
    }
  }

  /**
   * Expects something from now until shortly before what ends it is due, and looks all the while.
   *
   * @param since the call that the end counts from
   * @param nanos how long after that call it is due
   * @param expected the answers
   */
  public void expectUntil(Call since, long nanos, Expectation... expected) {
    List<Expectation> claimed = claimed(expected);
    Set<Expectation> seenAtTheEnd = new HashSet<>();
    tell("look until", since, nanos);
    lookUntil(() -> looksUntil(since, nanos, claimed, seenAtTheEnd));
    if (seenAtTheEnd.size() < claimed.size()) {
      throw tooSlow(since);
    }
  }

  private boolean looksUntil(
      Call since, long nanos, List<Expectation> claimed, Set<Expectation> seenAtTheEnd) {
    for (Expectation expectation : claimed) {
      if (System.nanoTime() - since.begin() >= nanos - slack) {
        return true;
      }
      Asked asked = ask(expectation);
      if (!isWithin(asked.call(), since, nanos)) {
        if (expectation.isOfTheGate() && !asked.isAsExpected()) {
          throw tooSlow(since); // with a probe that the script does not know of
        }
        return true;
      }
      if (!asked.isAsExpected()) {
        throw early(asked, since, nanos);
      }
      expectations++;
      if (asked.call().begin() - since.end() >= nanos - unit / 2) {
        seenAtTheEnd.add(expectation);
      }
    }
    return claimed.isEmpty();
  }

  /**
   * Expects something all the while until a time is surely past, and that time to make no
   * difference.
   *
   * @param since the call that the time counts from
   * @param nanos how long after that call
   * @param expected the answers
   */
  public void expectThroughout(Call since, long nanos, Expectation... expected) {
    tell("look until", since, nanos);
    lookUntil(
        () -> {
          boolean past = isPast(since, nanos); // then the answers below are from after it
          expect(expected);
          return past;
        });
  }

  /**
   * Expects something that must happen once it is surely due.
   *
   * @param since the call that it counts from
   * @param nanos how long after that call it is due
   * @param expected the answer
   * @return the call that showed it
   */
  public Call expectAfter(Call since, long nanos, Expectation expected) {
    pass(since, nanos);
    return expectSoon(expected);
  }

  /**
   * Expects something that must happen and is due.
   *
   * @param expected the answer
   * @return the call that showed it
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
          requireSteadyLook(previous.getAndSet(asked), asked);
          met.compareAndSet(null, asked.isAsExpected() ? asked : null);
          return asked.isAsExpected();
        };
    try {
      poll()
          .pollDelay(Duration.ZERO)
          .atMost(Duration.ofNanos(patience))
          .until(happened::getAsBoolean);
    } catch (ConditionTimeoutException e) {
      // Also thrown if the last answer was right and took long. That counts below.
    }
    Asked asked = met.get();
    if (asked == null) {
      // It is due since long before this question, whatever kept the earlier ones.
      return demand(expected, ", which was due %s before".formatted(millis(patience)));
    }
    expectations++;
    return asked.call();
  }

  /**
   * A subject that must not, but does put off what is due whenever the gate is asked, is found out
   * by being asked all the while. If the machine has kept the kit from asking, its yes shows
   * nothing.
   */
  private void requireSteadyLook(@Nullable Asked previous, Asked asked) {
    if (previous != null
        && asked.expectation().isOfTheGate()
        && asked.isAsExpected()
        && asked.call().begin() - previous.call().begin() > unit / 2) {
      throw new VoidRound("too seldom could the gate be asked");
    }
  }

  /**
   * Goes on only if a call has surely taken effect before something was due.
   *
   * @param call the call
   * @param since the call that the due time counts from
   * @param nanos how long after that call it is due
   */
  public void requireWithin(Call call, Call since, long nanos) {
    if (!isWithin(call, since, nanos)) {
      throw tooSlow(since);
    }
  }

  /**
   * Asks everything that can be asked about the tool and about all, for its side effects.
   *
   * @return the answers
   */
  public Map<String, Object> askEverything() {
    return Question.askAll(subject, tool, capabilities);
  }

  /**
   * Compares two things that must be equal.
   *
   * @param what what they are
   * @param expected the one
   * @param seen the other
   */
  public void equal(String what, Object expected, Object seen) {
    expectations++;
    if (!expected.equals(seen)) {
      throw accusation(Finding.comparison(what, expected, seen));
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
    Call performed = told(step.toString(), seen.equals(Step.DONE) ? "" : seen, begin);
    if (!seen.equals(Step.DONE)) {
      throw accusation(Finding.sentence("step %d %s".formatted(performed.step(), seen)));
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
            ? told(wording, seen, begin)
            : new Call(story.size(), begin, System.nanoTime());
    return new Asked(call, expectation, wording, seen);
  }

  private Call demand(Expectation expectation, String explanation) {
    Asked asked = ask(expectation);
    if (!asked.isAsExpected()) {
      throw accusation(
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

  private void lookUntil(BooleanSupplier done) {
    poll().pollDelay(Duration.ZERO).forever().until(done::getAsBoolean);
  }

  /** In this thread: another one would have to be waited for, and Awaitility's starts anew. */
  private ConditionFactory poll() {
    return await()
        .pollInSameThread()
        .dontCatchUncaughtExceptions()
        .pollInterval(Duration.ofNanos(unit / LOOKS_PER_UNIT));
  }

  private RuntimeException early(Asked asked, Call since, long nanos) {
    if (!asked.expectation().isOfTheGate()) {
      tell(asked.wording(), asked.seen(), asked.call().end());
    }
    return accusation(
        Finding.comparison(
            asked.wording(),
            "%s for %s after step %d"
                .formatted(asked.expectation().value(), Words.nanos(nanos), since.step()),
            asked.seen()));
  }

  private static VoidRound tooSlow(Call since) {
    return new VoidRound("the answers after step " + since.step() + " came too late to count");
  }

  private RuntimeException accusation(Finding finding) {
    return clocksAgree()
        ? new Departure(
            rule,
            new Story.Watched(setting, List.copyOf(story)),
            finding,
            Departure.Evidence.SYMPTOM)
        : new VoidRound("a clock was set, or the machine suspended");
  }

  private boolean clocksAgree() {
    long nanos = System.nanoTime() - startNanos;
    long millis = System.currentTimeMillis() - startMillis;
    return Math.abs(nanos - MILLISECOND * millis) <= slack + 2 * MILLISECOND;
  }

  /** A call that is over now, and has its place in the story. */
  private Call told(String what, Object answer, long begin) {
    long end = System.nanoTime();
    tell(what, answer, end);
    return new Call(story.size(), begin, end);
  }

  /** Adds a step to the story; one that repeats itself is only counted. */
  private void tell(String what, Object answer, long end) {
    int last = story.size() - 1;
    int times = 1;
    if (last >= 0
        && story.get(last).what().equals(what)
        && story.get(last).answer().equals(answer.toString())) {
      times += story.remove(last).times();
    }
    story.add(new Story.Moment(what, answer.toString(), times, millis(end - startNanos)));
  }

  private void tell(String what, Call since, long nanos) {
    String until = "%s %s after step %d".formatted(what, Words.nanos(nanos), since.step());
    story.add(new Story.Moment(until, "", 1, ""));
  }

  private static String millis(long nanos) {
    return nanos / MILLISECOND + " ms";
  }
}

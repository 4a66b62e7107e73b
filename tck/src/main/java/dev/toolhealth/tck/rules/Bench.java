package dev.toolhealth.tck.rules;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Finding;
import dev.toolhealth.tck.script.Round;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.script.Story;
import dev.toolhealth.tck.script.VoidRound;
import dev.toolhealth.tck.script.Waits;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The tools of a check: the subject's adapter, and scenarios, rounds and callers to test it. */
final class Bench {
  /**
   * A cooldown for checks without a manual clock. Such a cooldown never ends during a check,
   * however slow the machine.
   */
  static final long OUT_OF_REACH = seconds(3_600);

  /**
   * Times that overflow a number of a common width in a common unit. An hour, a week, a month and a
   * year are there too, because an implementation might forget a tool after such a time.
   */
  static final List<Long> LONG_TIMES =
      List.of(
          1L << 31, // nanoseconds in an int: 2 s
          1L << 32,
          seconds(3_600),
          (1L << 31) * 1_000, // microseconds: 36 min
          (1L << 32) * 1_000,
          1L << 40, // nanoseconds beside a few other bits: 18 min
          1L << 48, // 3 days
          seconds(3_600 * 24 * 7),
          (1L << 31) * 1_000_000, // milliseconds: 25 days
          seconds(3_600 * 24 * 31),
          (1L << 32) * 1_000_000,
          1L << 53, // all that a double holds exactly: 104 days
          seconds(3_600 * 24 * 366L),
          1L << 56, // 2 years
          1L << 60); // 36 years

  /** The number of attempts; each is twice as long as the previous attempt. */
  private static final int ROUNDS = 5;

  private final Adapter adapter;
  private final Rule rule;
  private final boolean racing;
  private final Waits waits;
  private final List<Scenario> scenarios = new ArrayList<>();
  private final List<Round> rounds = new ArrayList<>();
  private int voidRounds;
  private long cases;

  Bench(Adapter adapter, Rule rule, boolean racing, Waits waits) {
    this.adapter = adapter;
    this.rule = rule;
    this.racing = racing;
    this.waits = waits;
  }

  /** Returns the number of answers that were compared with the rule. */
  long cases() {
    return cases
        + scenarios.stream().mapToLong(Scenario::expectations).sum()
        + rounds.stream().mapToLong(Round::expectations).sum();
  }

  /** Returns the number of rounds played on the real clock. */
  int rounds() {
    return rounds.size();
  }

  /** Returns the number of void rounds. */
  int voidRounds() {
    return voidRounds;
  }

  /** Returns the departures from other rules that were found along the way. */
  List<Departure> asides() {
    return scenarios.stream().flatMap(scenario -> scenario.asides().stream()).toList();
  }

  Adapter adapter() {
    return adapter;
  }

  boolean claims(Capability capability) {
    return adapter.capabilities().contains(capability);
  }

  /** Creates a registry with the default configuration, whose clock starts at 0. */
  Scenario scenario() {
    return scenario(Config.DEFAULT);
  }

  /** Creates a registry whose clock starts at 0. */
  Scenario scenario(Config config) {
    return scenario(config, 0);
  }

  /** Creates a registry whose clock starts at any value. */
  Scenario scenario(Config config, long clockStart) {
    Scenario scenario = new Scenario(adapter, rule, config, clockStart);
    scenarios.add(scenario);
    return scenario;
  }

  /**
   * Plays a script on the real clock, and repeats it with longer durations while the machine is too
   * slow.
   *
   * @throws VoidRound if the machine is too slow for the longest durations, too
   */
  void onTheWallClock(Consumer<Round> script) {
    for (int earlier = 0; ; earlier++) {
      Round round = new Round(adapter, rule, waits, earlier);
      rounds.add(round);
      try {
        script.accept(round);
        return;
      } catch (VoidRound e) {
        voidRounds++;
        if (earlier == ROUNDS - 1) {
          throw e;
        }
      }
    }
  }

  /** Creates threads that call the subject at the same time. The check must be marked as racing. */
  Callers callers(int count) {
    if (!racing) {
      throw new IllegalStateException("a check with callers must be marked as racing");
    }
    return new Callers(this, count);
  }

  /** Compares an answer after a race with the expected answer. */
  void expect(String story, String asked, Object expected, Object seen) {
    cases++;
    if (!expected.equals(seen)) {
      throw departure(story, Finding.comparison(asked, expected, seen));
    }
  }

  /** Checks a property of a race that no comparison of two answers can express. */
  void require(boolean kept, String finding, Supplier<String> story) {
    cases++;
    if (!kept) {
      throw departure(story.get(), finding);
    }
  }

  Departure departure(String story, String finding) {
    return departure(story, Finding.sentence(finding));
  }

  private Departure departure(String story, Finding finding) {
    return new Departure(
        rule,
        new Story.Told(story),
        finding,
        racing ? Departure.Evidence.RACE : Departure.Evidence.SYMPTOM);
  }

  static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  static long seconds(long seconds) {
    return TimeUnit.SECONDS.toNanos(seconds);
  }
}

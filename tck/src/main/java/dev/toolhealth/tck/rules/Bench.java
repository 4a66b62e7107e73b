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

/** What a check works with: the subject's adapter, and the means to question it. */
final class Bench {
  /**
   * A cooldown for checks that do without a manual clock: a real one does not get there while a
   * check runs, however slow the machine.
   */
  static final long OUT_OF_REACH = seconds(3_600);

  /**
   * Times that a number of a common width cannot hold any more, in a common unit; a week, a month
   * and a year, after which somebody might take it that all is forgotten.
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

  /** Each is twice as long as the one before. */
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

  /** How many answers were held against the rule. */
  long cases() {
    return cases
        + scenarios.stream().mapToLong(Scenario::expectations).sum()
        + rounds.stream().mapToLong(Round::expectations).sum();
  }

  /** How many rounds were played on the real clock. */
  int rounds() {
    return rounds.size();
  }

  /** How many of them showed nothing. */
  int voidRounds() {
    return voidRounds;
  }

  /** What was wrong besides, under other rules. */
  List<Departure> asides() {
    return scenarios.stream().flatMap(scenario -> scenario.asides().stream()).toList();
  }

  Adapter adapter() {
    return adapter;
  }

  boolean claims(Capability capability) {
    return adapter.capabilities().contains(capability);
  }

  /** A new registry with the default configuration, whose clock starts at 0. */
  Scenario scenario() {
    return scenario(Config.DEFAULT);
  }

  /** A new registry whose clock starts at 0. */
  Scenario scenario(Config config) {
    return scenario(config, 0);
  }

  /** A new registry on a clock that starts anywhere. */
  Scenario scenario(Config config, long clockStart) {
    Scenario scenario = new Scenario(adapter, rule, config, clockStart);
    scenarios.add(scenario);
    return scenario;
  }

  /**
   * Plays a script on the real clock, and once more with longer durations for as long as the
   * machine is too slow for it.
   *
   * @throws VoidRound if it is too slow for the longest of them
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

  /** Threads that call the subject at the same time, for a check that says that it races. */
  Callers callers(int count) {
    if (!racing) {
      throw new IllegalStateException("a check with callers must be marked as racing");
    }
    return new Callers(this, count);
  }

  /** Holds what threads have done to a subject against what the rule demands. */
  void expect(String story, String asked, Object expected, Object seen) {
    cases++;
    if (!expected.equals(seen)) {
      throw departure(story, Finding.comparison(asked, expected, seen));
    }
  }

  /** Holds what threads have done against what the rule demands, which no comparison can show. */
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

package dev.toolhealth.tck.rules;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.VoidRound;
import dev.toolhealth.tck.script.Waits;
import dev.toolhealth.tck.spec.Rule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** One check of one rule: a method marked with {@link Check}. Thread-safe. */
public final class RuleCheck {
  private static final List<Object> CHAPTERS =
      List.of(
          new StatisticsRules(),
          new ScoreRules(),
          new BreakerRules(),
          new LeaseRules(),
          new StaleRules(),
          new OracleRules(),
          new RegistryRules(),
          new RoutingRules(),
          new BadInputRules(),
          new ConcurrencyRules(),
          new PermitRules(),
          new WallClockRules());

  private final Object chapter;
  private final Method method;
  private final Check check;

  private RuleCheck(Object chapter, Method method, Check check) {
    this.chapter = chapter;
    this.method = method;
    this.check = check;
  }

  /**
   * Returns all checks.
   *
   * @return the checks, ordered by rule and then by name
   */
  public static List<RuleCheck> all() {
    List<RuleCheck> checks = new ArrayList<>();
    for (Object chapter : CHAPTERS) {
      for (Method method : chapter.getClass().getDeclaredMethods()) {
        Check check = method.getAnnotation(Check.class);
        if (check != null) {
          checks.add(new RuleCheck(chapter, method, check));
        }
      }
    }
    checks.sort(Comparator.comparing(RuleCheck::rule).thenComparing(RuleCheck::id));
    return List.copyOf(checks);
  }

  /**
   * Returns the checked rule.
   *
   * @return the rule
   */
  public Rule rule() {
    return check.value();
  }

  /**
   * Returns the capabilities that the check needs.
   *
   * @return the capabilities; empty if the core is enough
   */
  public Set<Capability> needs() {
    return Set.of(check.needs());
  }

  /**
   * Returns whether callers race. A race shows nothing about a subject where callers take turns.
   *
   * @return true if callers race
   */
  public boolean racing() {
    return check.racing();
  }

  /**
   * Returns whether the check runs on the real clock. Such checks are for subjects without a manual
   * clock. All other subjects are checked to the nanosecond by checks that set the clock.
   *
   * @return true if the check runs on the real clock
   */
  public boolean onTheWallClock() {
    return chapter instanceof WallClockRules;
  }

  /**
   * Returns the class and method of the check.
   *
   * @return for example {@code BreakerRules.startsClosed}
   */
  public String id() {
    return chapter.getClass().getSimpleName() + "." + method.getName();
  }

  /**
   * Returns the name of the check for people.
   *
   * @return for example {@code starts closed}, followed by the id of a field case or by a note that
   *     the check runs on the real clock
   */
  public String title() {
    String words =
        method.getName().replaceAll("([A-Z]|[0-9]+)", " $1").toLowerCase(Locale.ROOT).trim();
    if (onTheWallClock()) {
      return words + " (on the real clock)";
    }
    return check.fieldCase().isEmpty() ? words : words + " (" + check.fieldCase() + ")";
  }

  /**
   * Runs the check.
   *
   * @param adapter the adapter of the subject
   * @param waits how long to wait on the real clock
   * @return the result
   */
  public Result run(Adapter adapter, Waits waits) {
    Bench bench = new Bench(adapter, rule(), racing(), waits);
    List<Departure> departures = new ArrayList<>();
    String unjudged = "";
    try {
      method.invoke(chapter, bench);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(id() + " must not be private", e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Departure departure) {
        departures.add(departure);
      } else if (e.getCause() instanceof VoidRound round) {
        unjudged = title() + ": " + round.getMessage();
      } else {
        departures.add(bench.departure(title(), Departure.threw(e.getTargetException())));
      }
    }
    departures.addAll(bench.asides());
    return new Result(bench.cases(), departures, bench.rounds(), bench.voidRounds(), unjudged);
  }

  /**
   * The result of a check.
   *
   * @param cases the number of answers that were compared with the rule
   * @param departures the departures from this rule and from others
   * @param rounds the number of rounds played on the real clock
   * @param voidRounds the number of rounds that were void because the machine was too slow
   * @param unjudged the reason why the check has no verdict, or empty
   */
  public record Result(
      long cases, List<Departure> departures, int rounds, int voidRounds, String unjudged) {}

  @Override
  public String toString() {
    return rule() + " " + title();
  }
}

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

/** One check of one rule: a method marked with {@link Check}. */
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
   * Finds all checks.
   *
   * @return the checks in the order of their rules, and of their names
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
   * Says which rule is checked.
   *
   * @return the rule
   */
  public Rule rule() {
    return check.value();
  }

  /**
   * Says what a subject must offer for the check to mean anything.
   *
   * @return the capabilities
   */
  public Set<Capability> needs() {
    return Set.of(check.needs());
  }

  /**
   * Says whether callers race in it, so that it shows nothing of a subject that takes them in turn.
   *
   * @return true if it does
   */
  public boolean racing() {
    return check.racing();
  }

  /**
   * Says whether it goes by the real clock: it is for subjects whose clock nobody can set, since
   * the others are judged to the nanosecond by checks that set it.
   *
   * @return true if it does
   */
  public boolean onTheWallClock() {
    return chapter instanceof WallClockRules;
  }

  /**
   * Names the method, for whoever wants to read it.
   *
   * @return such as {@code BreakerRules.startsClosed}
   */
  public String id() {
    return chapter.getClass().getSimpleName() + "." + method.getName();
  }

  /**
   * Names the check for people.
   *
   * @return such as {@code starts closed}, with the id of its field case if it has one, and a mark
   *     if it goes by the real clock
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
   * Puts a subject to the check.
   *
   * @param adapter the subject's adapter
   * @param waits how long to wait on the real clock
   * @return what came of it
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
   * What came of a check.
   *
   * @param cases how many answers were held against the rule
   * @param departures what was wrong, with the rule itself or with another
   * @param rounds how many rounds were played on the real clock
   * @param voidRounds how many of them the machine was too slow for
   * @param unjudged why nothing came of it, or empty
   */
  public record Result(
      long cases, List<Departure> departures, int rounds, int voidRounds, String unjudged) {}

  @Override
  public String toString() {
    return rule() + " " + title();
  }
}

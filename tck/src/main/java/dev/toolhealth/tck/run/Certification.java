package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.process.ProcessAdapter;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Examination;
import dev.toolhealth.tck.script.Exhaustive;
import dev.toolhealth.tck.script.Exploration;
import dev.toolhealth.tck.script.PermitSequences;
import dev.toolhealth.tck.script.WMethod;
import dev.toolhealth.tck.script.Waits;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A run of the kit against one subject. The hand-written checks of each rule come first. Then the
 * kit plays random scripts, all short scripts, and the scripts of the W-method, and files each
 * departure under the broken rule.
 */
public final class Certification {
  /** The default seed. The same command always plays the same scripts. */
  public static final long DEFAULT_SEED = 1;

  private static final int SCRIPTS = 3_000;

  // A call that takes a microsecond in this JVM takes dozens of microseconds over a pipe.
  private static final int SCRIPTS_FOR_A_PROCESS = 300;

  private final Adapter adapter;
  private final Set<Capability> capabilities;
  private final long seed;
  private final int scripts;
  private final boolean exhaustive;
  private final Waits waits;

  /**
   * Prepares a certification.
   *
   * @param adapter the subject's adapter
   * @param seed the seed of the random scripts
   * @throws IllegalArgumentException if the capabilities of the adapter are null
   */
  public Certification(Adapter adapter, long seed) {
    this(adapter, seed, Waits.DEFAULT);
  }

  /**
   * Prepares a certification.
   *
   * @param adapter the subject's adapter
   * @param seed the seed of the random scripts
   * @param waits how long to wait on the real clock
   * @throws IllegalArgumentException if the capabilities of the adapter are null
   */
  public Certification(Adapter adapter, long seed, Waits waits) {
    this(
        adapter,
        seed,
        adapter instanceof ProcessAdapter ? SCRIPTS_FOR_A_PROCESS : SCRIPTS,
        true,
        waits);
  }

  Certification(Adapter adapter, long seed, int scripts) {
    this(adapter, seed, scripts, true);
  }

  /** Prepares a certification that may leave out the exhaustive scripts, as some tests do. */
  Certification(Adapter adapter, long seed, int scripts, boolean exhaustive) {
    this(adapter, seed, scripts, exhaustive, Waits.DEFAULT);
  }

  private Certification(Adapter adapter, long seed, int scripts, boolean exhaustive, Waits waits) {
    this.adapter = adapter;
    this.capabilities = Adapters.capabilities(adapter);
    this.seed = seed;
    this.scripts = scripts;
    this.exhaustive = exhaustive;
    this.waits = waits;
  }

  /**
   * Returns the capabilities that the subject claims.
   *
   * @return the capabilities, in the order of {@link Capability}
   */
  public Set<Capability> capabilities() {
    return capabilities;
  }

  /**
   * Runs the checks of all rules.
   *
   * @return a result for each rule, in order
   */
  public List<RuleResult> run() {
    return run(EnumSet.allOf(Rule.class));
  }

  List<RuleResult> run(Set<Rule> rules) {
    return run(rules, account -> {});
  }

  /**
   * Runs the checks of some rules. Every selection of rules plays the same scripts, and departures
   * from other rules are left out.
   *
   * @param rules the rules to check
   * @param progress the listener that is notified of each step
   * @return a result for each selected rule, in order
   */
  public List<RuleResult> run(Set<Rule> rules, Progress progress) {
    List<Departure> departures = new ArrayList<>();
    List<Tried> tried = new ArrayList<>();
    Map<String, RuleCheck.Result> timed = onTheWallClock(rules, progress);
    for (Rule rule : EnumSet.copyOf(rules)) {
      progress.checking(rule);
      tried.add(tryChecks(rule, timed, departures));
      ProcessAdapter.requireSound(adapter);
    }
    Examination examination = new Examination(adapter);
    if (capabilities.contains(Capability.MANUAL_CLOCK)) {
      playScripts(examination, progress);
      departures.addAll(examination.departures());
    }
    List<RuleResult> results = new ArrayList<>();
    for (Tried t : tried) {
      long cases = t.cases + examination.caseCount().of(t.rule);
      List<Departure> broken = departures.stream().filter(d -> d.rule() == t.rule).toList();
      Outcome outcome = broken.isEmpty() ? t.outcome : Outcome.FAILED;
      boolean judged = outcome == Outcome.PASSED || outcome == Outcome.FAILED;
      String remark =
          switch (outcome) {
            case NOT_TESTABLE -> t.remark;
            case NOT_APPLICABLE -> needs(t.rule);
            case PASSED, FAILED -> "";
          };
      results.add(new RuleResult(t.rule, outcome, judged ? cases : 0, broken, remark));
    }
    return results;
  }

  private void playScripts(Examination examination, Progress progress) {
    play(
        examination,
        progress,
        "random scripts",
        "random scripts, seed " + seed,
        () -> Exploration.play(examination, seed, scripts));
    if (capabilities.contains(Capability.PERMITS)) {
      play(
          examination,
          progress,
          "random scripts with permits",
          "random scripts with permits",
          () -> Exploration.playPermits(examination, seed, scripts));
      play(
          examination,
          progress,
          "sequences with permits",
          "sequences with permits: all short ones that can show something new",
          () -> PermitSequences.play(examination));
    }
    if (exhaustive) {
      play(
          examination,
          progress,
          "short sequences",
          "sequences: all short ones that can show something new",
          () -> Exhaustive.play(examination));
      play(
          examination,
          progress,
          "scripts of the W-method",
          "scripts of the W-method, for implementations with up to "
              + WMethod.EXTRA_STATES
              + " extra states",
          () -> WMethod.play(examination));
    }
  }

  /** Plays scripts of one kind, unless the kit has stopped after too many failed scripts. */
  private void play(
      Examination examination, Progress progress, String kind, String account, Runnable layer) {
    if (examination.isOver()) {
      return;
    }
    progress.playing(kind);
    long before = examination.scripts();
    layer.run();
    ProcessAdapter.requireSound(adapter);
    progress.played(
        (examination.scripts() - before)
            + " "
            + (examination.isOver()
                ? kind
                    + ", then stopped: %d scripts had failed"
                        .formatted(examination.departures().size())
                : account));
    if (examination.isOver()) {
      progress.stopped(examination.departures().size());
    }
  }

  private Map<String, RuleCheck.Result> onTheWallClock(Set<Rule> rules, Progress progress) {
    List<RuleCheck> checks =
        RuleCheck.all().stream()
            .filter(RuleCheck::onTheWallClock)
            .filter(check -> rules.contains(check.rule()))
            .filter(check -> applicability(check) == Outcome.PASSED)
            .toList();
    if (checks.isEmpty()) {
      return Map.of();
    }
    progress.playing("checks on the real clock");
    Map<String, RuleCheck.Result> results = Waiting.together(checks, adapter, waits);
    int rounds = results.values().stream().mapToInt(RuleCheck.Result::rounds).sum();
    int voidRounds = results.values().stream().mapToInt(RuleCheck.Result::voidRounds).sum();
    progress.played(
        "%s on the real clock, in %s, %s of them void"
            .formatted(
                count(checks.size(), "check"),
                count(rounds, "round"),
                voidRounds == 0 ? "none" : voidRounds));
    return results;
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** The result of a rule's own checks without their departures; the remark explains a gap. */
  private record Tried(Rule rule, Outcome outcome, long cases, String remark) {}

  private Tried tryChecks(
      Rule rule, Map<String, RuleCheck.Result> timed, List<Departure> departures) {
    Outcome outcome = Outcome.NOT_APPLICABLE;
    long cases = 0;
    String remark = "cannot be checked without " + Capability.MANUAL_CLOCK;
    for (RuleCheck check : RuleCheck.all()) {
      if (check.rule() == rule) {
        Outcome applies = applicability(check);
        if (applies == Outcome.PASSED) {
          RuleCheck.Result result = timed.get(check.id());
          if (result == null) {
            result = check.run(adapter, waits);
          }
          cases += result.cases();
          departures.addAll(result.departures());
          if (!result.unjudged().isEmpty()) {
            applies = Outcome.NOT_TESTABLE;
            remark = result.unjudged();
          }
        }
        outcome = better(outcome, applies);
      }
    }
    return new Tried(rule, outcome, cases, remark);
  }

  /** Returns {@link Outcome#PASSED} if a check can run, and otherwise the reason why not. */
  private Outcome applicability(RuleCheck check) {
    if (adapter instanceof ProcessAdapter && check.racing()) {
      // Requests to a process take turns, so there is no race to observe.
      return Outcome.NOT_APPLICABLE;
    }
    if (check.onTheWallClock() && capabilities.contains(Capability.MANUAL_CLOCK)) {
      // The checks on the manual clock are more precise.
      return Outcome.NOT_APPLICABLE;
    }
    Set<Capability> missing = missing(check);
    if (missing.isEmpty()) {
      return Outcome.PASSED;
    }
    return missing.equals(Set.of(Capability.MANUAL_CLOCK))
        ? Outcome.NOT_TESTABLE
        : Outcome.NOT_APPLICABLE;
  }

  private Set<Capability> missing(RuleCheck check) {
    Set<Capability> missing = EnumSet.noneOf(Capability.class);
    missing.addAll(check.needs());
    missing.removeAll(capabilities);
    return missing;
  }

  /** Returns the fewest missing capabilities that would make a rule apply. */
  private String needs(Rule rule) {
    return RuleCheck.all().stream()
        .filter(check -> check.rule() == rule)
        .map(this::missing)
        .filter(missing -> !missing.isEmpty())
        .min(Comparator.comparingInt(Set::size))
        .map(missing -> "needs " + Adapters.words(missing))
        .orElse("needs concurrent callers");
  }

  private static Outcome better(Outcome a, Outcome b) {
    return a == Outcome.PASSED || b == Outcome.PASSED
        ? Outcome.PASSED
        : a == Outcome.NOT_TESTABLE ? a : b;
  }
}

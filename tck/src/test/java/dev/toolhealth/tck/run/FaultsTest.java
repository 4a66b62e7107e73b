package dev.toolhealth.tck.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.Fault;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.locking.PermitAdapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Examination;
import dev.toolhealth.tck.script.Exploration;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the kit can fail: it must catch every faulty implementation by the rule that it
 * breaks, and the report must begin with a departure that leads to the fault.
 */
class FaultsTest {
  private static final int SEEDS = 20;

  /** Fewer scripts than the kit plays, because there are many faulty implementations. */
  private static final int SCRIPTS = 300;

  /** The number of steps a reader can still follow by hand. */
  private static final int MAX_STEPS = 12;

  private static final List<Fault> FAULTS = Faults.all();

  private static final Map<Fault, List<Departure>> BY_HAND = new ConcurrentHashMap<>();

  @BeforeAll
  static void judgeByHand() {
    FAULTS.parallelStream().forEach(fault -> BY_HAND.put(fault, Judgement.byHand(fault.adapter())));
  }

  static List<Fault> faults() {
    return FAULTS;
  }

  private static List<Departure> byHand(Fault fault) {
    return requireNonNull(BY_HAND.get(fault));
  }

  static List<Adapter> correctSubjects() {
    return List.of(new ReferenceAdapter(), new LockingAdapter(), new PermitAdapter());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void isCaughtByItsRuleAndShownPlainly(Fault fault) {
    List<Departure> shown = shown(fault);
    Departure ofItsRule =
        shown.stream()
            .filter(departure -> departure.rule() == fault.rule())
            .findFirst()
            .orElseThrow();
    assertThat(ofItsRule.steps()).as(ofItsRule.getMessage()).isLessThanOrEqualTo(MAX_STEPS);
    Set<Rule> right = EnumSet.of(fault.rule());
    right.addAll(fault.alsoRight());
    assertThat(shown.get(0).rule()).as(shown.get(0).getMessage()).isIn(right);
    assertThat(shown.get(0).steps()).isLessThanOrEqualTo(MAX_STEPS);
  }

  /** Runs the kit until it catches the fault, and returns the departures in report order. */
  private static List<Departure> shown(Fault fault) {
    Adapter adapter = fault.adapter();
    List<Departure> shown =
        new ArrayList<>(Judgement.withOneCaller(adapter, byHand(fault), 1, SCRIPTS));
    if (!hasItsRule(fault, shown)) {
      shown.addAll(Judgement.inRaces(adapter, fault.rule()));
    }
    if (!hasItsRule(fault, shown)) {
      shown.addAll(Judgement.byAllShortScripts(adapter));
    }
    shown.sort(Departure.MOST_TELLING_FIRST);
    return shown;
  }

  /** Returns the faults caught only by random scripts; for others the seed cannot matter. */
  static List<Fault> faultsOfRandomScripts() {
    return faults().stream()
        .filter(fault -> !hasItsRule(fault, byHand(fault)))
        .filter(fault -> hasItsRule(fault, byRandomScripts(fault, 1)))
        .filter(fault -> !hasItsRule(fault, Judgement.byAllShortScripts(fault.adapter())))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("faultsOfRandomScripts")
  void isCaughtWhateverTheSeed(Fault fault) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertThat(hasItsRule(fault, byRandomScripts(fault, seed))).as("seed " + seed).isTrue();
    }
  }

  private static List<Departure> byRandomScripts(Fault fault, long seed) {
    Examination examination = new Examination(fault.adapter());
    Exploration.play(examination, seed, SCRIPTS);
    return examination.departures();
  }

  private static boolean hasItsRule(Fault fault, List<Departure> departures) {
    return departures.stream().anyMatch(departure -> departure.rule() == fault.rule());
  }

  @ParameterizedTest
  @MethodSource("correctSubjects")
  void noSeedAccusesACorrectSubject(Adapter adapter) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Examination examination = new Examination(adapter);
      Exploration.play(examination, seed, 1_000);
      assertThat(examination.departures()).as("seed " + seed).isEmpty();
      assertThat(examination.scripts()).isEqualTo(1_000);
    }
  }

  static List<Adapter> correctSubjectsWithPermits() {
    return List.of(new ReferenceAdapter(), new PermitAdapter());
  }

  @ParameterizedTest
  @MethodSource("correctSubjectsWithPermits")
  void noPermitAccusesACorrectSubject(Adapter adapter) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Examination examination = new Examination(adapter);
      Exploration.playPermits(examination, seed, 1_000);
      assertThat(examination.departures()).as("seed " + seed).isEmpty();
    }
  }

  @Test
  void everyRuleHasFaults() {
    assertThat(faults()).extracting(Fault::rule).contains(Rule.values());
    assertThat(faults()).hasSize(352);
    assertThat(faults()).extracting(Fault::description).doesNotHaveDuplicates();
  }
}

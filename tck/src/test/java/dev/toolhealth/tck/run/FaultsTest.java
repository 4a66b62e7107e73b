package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.Fault;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.script.Examination;
import dev.toolhealth.tck.script.Exploration;
import dev.toolhealth.tck.spec.Rule;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit must be able to fail: each faulty subject is caught, by the rule that it breaks. */
class FaultsTest {
  private static final int SEEDS = 20;

  /** Fewer than the kit plays, since there are many faults; and they must do. */
  private static final int SCRIPTS = 300;

  static List<Fault> faults() {
    return Faults.all();
  }

  static List<Adapter> correctSubjects() {
    return List.of(new ReferenceAdapter(), new LockingAdapter());
  }

  @ParameterizedTest
  @MethodSource("faults")
  void isCaughtByItsRuleWhateverTheSeed(Fault fault) {
    // What is caught without random scripts, by checks or by other scripts, needs no seed.
    if (isCaught(fault, 0, 0, false) || isCaught(fault, 0, 0, true)) {
      return;
    }
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertThat(isCaught(fault, seed, SCRIPTS, false)).as("seed " + seed).isTrue();
    }
  }

  private static boolean isCaught(Fault fault, long seed, int scripts, boolean exhaustive) {
    Certification certification = new Certification(fault.adapter(), seed, scripts, exhaustive);
    return certification.run(EnumSet.of(fault.rule())).get(0).outcome() == Outcome.FAILED;
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

  @Test
  void everyRuleHasFaults() {
    assertThat(faults()).extracting(Fault::rule).contains(Rule.values());
    assertThat(faults()).hasSize(180);
  }
}

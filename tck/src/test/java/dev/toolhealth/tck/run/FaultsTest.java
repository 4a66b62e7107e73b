package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.locking.Fault;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.spec.Rule;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit must be able to fail: each faulty subject is caught, by the rule that it breaks. */
class FaultsTest {
  /** Fewer than the kit plays, since there are many faults; and they must do. */
  private static final int SCRIPTS = 300;

  static List<Fault> faults() {
    return Faults.all();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void isCaughtByItsRule(Fault fault) {
    List<RuleResult> results =
        new Certification(fault.adapter(), Certification.DEFAULT_SEED, SCRIPTS)
            .run(EnumSet.of(fault.rule()));
    assertThat(results).extracting(RuleResult::outcome).containsExactly(Outcome.FAILED);
    assertThat(results.get(0).departures().get(0)).hasMessageStartingWith(fault.rule().id());
  }

  @Test
  void everyRuleHasFaults() {
    assertThat(faults()).extracting(Fault::rule).contains(Rule.values());
  }
}

package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.process.ProcessAdapter;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProcessCertificationTest {
  /**
   * Certifies the protocol's example by all rules for processes. Three parts would take minutes
   * over a pipe and are left to the command line: the check of SCORE-4, which makes more than a
   * million calls, most of the random scripts, and the scripts of the W-method.
   */
  @Test
  void theExampleInPythonIsCertified() {
    assumeTrue(pythonIsThere(), "there is no python3");
    Set<Rule> quick = EnumSet.complementOf(EnumSet.of(Rule.SCORE_4));
    List<RuleResult> results;
    try (ProcessAdapter example = new ProcessAdapter("python3 ../docs/examples/tool_health.py")) {
      assertThat(example.capabilities())
          .isEqualTo(EnumSet.complementOf(EnumSet.of(Capability.LOCK_FREE)));
      results = new Certification(example, Certification.DEFAULT_SEED, 50, false).run(quick);
    }
    assertThat(results).extracting(RuleResult::rule).containsExactlyElementsOf(quick);
    assertThat(results)
        .filteredOn(result -> result.outcome() != Outcome.PASSED)
        .allMatch(result -> result.outcome() == Outcome.NOT_APPLICABLE)
        .extracting(RuleResult::rule)
        .containsExactly(Rule.REG_6, Rule.CONC_1, Rule.CONC_2, Rule.CONC_3);
  }

  private static boolean pythonIsThere() {
    try {
      return new ProcessBuilder("python3", "-c", "").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while python3 started", e);
    }
  }
}

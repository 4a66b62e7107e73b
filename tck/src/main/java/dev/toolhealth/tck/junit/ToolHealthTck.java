package dev.toolhealth.tck.junit;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.run.Certification;
import dev.toolhealth.tck.run.Outcome;
import dev.toolhealth.tck.run.RuleResult;
import dev.toolhealth.tck.script.Waits;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The kit among one's own tests: extend this class, return the adapter, and JUnit shows a test for
 * every rule. A rule that the subject does not claim to offer is shown as skipped.
 */
public abstract class ToolHealthTck {

  /** For subclasses. */
  protected ToolHealthTck() {}

  /**
   * Gives the implementation to judge.
   *
   * @return its adapter
   */
  protected abstract Adapter adapter();

  /**
   * Determines the random scripts. Override it to try others, or to repeat a run.
   *
   * @return the seed
   */
  protected long seed() {
    return Certification.DEFAULT_SEED;
  }

  /**
   * Says how long to wait where only the real clock can judge, which is so without {@link
   * dev.toolhealth.tck.Capability#MANUAL_CLOCK}. Override it to wait longer on a slow machine.
   *
   * @return the settings
   */
  protected Waits waits() {
    return Waits.DEFAULT;
  }

  /**
   * Runs the kit.
   *
   * @return a test for every rule
   */
  @TestFactory
  Stream<DynamicTest> rules() {
    return new Certification(adapter(), seed(), waits())
        .run().stream()
            .map(
                result ->
                    DynamicTest.dynamicTest(
                        result.rule() + " " + result.rule().sentence(), () -> verify(result)));
  }

  private void verify(RuleResult result) {
    if (result.outcome() == Outcome.FAILED) {
      throw new AssertionError(result.departures().get(0).getMessage() + "\n  seed " + seed());
    }
    Assumptions.assumeTrue(
        result.outcome() == Outcome.PASSED, () -> result.outcome() + ": " + result.remark());
  }
}

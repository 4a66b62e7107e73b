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
 * The base class that runs the kit as part of your own tests. Extend this class and return your
 * adapter; JUnit then shows one test for each rule.
 *
 * <p>Rules that do not apply or cannot be tested appear as skipped, with the reason. The command
 * line is stricter: a rule that cannot be tested makes the subject non-conformant.
 */
public abstract class ToolHealthTck {

  /** Creates the test class. */
  protected ToolHealthTck() {}

  /**
   * Returns the adapter of the implementation to test.
   *
   * @return the adapter
   */
  protected abstract Adapter adapter();

  /**
   * Returns the seed of the random scripts. Override this method to play other scripts or to repeat
   * a run.
   *
   * @return the seed
   */
  protected long seed() {
    return Certification.DEFAULT_SEED;
  }

  /**
   * Returns how long to wait on the real clock. The kit waits only for subjects without {@link
   * dev.toolhealth.tck.Capability#MANUAL_CLOCK}. Override this method to wait longer on a slow
   * machine.
   *
   * @return the settings
   */
  protected Waits waits() {
    return Waits.DEFAULT;
  }

  /**
   * Runs the kit and reports each rule as a test.
   *
   * @return one test for each rule
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

package dev.toolhealth.jcstress;

import java.util.Set;
import org.openjdk.jcstress.infra.Status;

/** A self-test of the races: every race must fail on a faulty subject. */
public final class SelfTest {
  private SelfTest() {}

  /**
   * Runs the selected races, or all of them by default.
   *
   * @param args the options of jcstress
   * @throws Exception if a race cannot be run
   * @throws AssertionError if a race passes
   */
  public static void main(String[] args) throws Exception {
    Run run = new Run(args);
    try {
      run.start();
    } catch (AssertionError expected) {
      // At least one race failed, as intended. The stored results name the race.
    }
    Set<String> blind =
        run.racesWithout(result -> result.status() == Status.NORMAL && !result.grading().isPassed);
    if (!blind.isEmpty()) {
      throw new AssertionError("races that passed on a faulty subject: " + blind);
    }
  }
}

package dev.toolhealth.jcstress;

import java.util.Set;
import org.openjdk.jcstress.infra.Status;

/** Runs the races on a faulty subject, and fails unless every one of them sees a fault. */
public final class SelfTest {
  private SelfTest() {}

  /**
   * Runs the races that are asked for, all by default.
   *
   * @param args the options of jcstress
   * @throws Exception if a race cannot be run
   * @throws AssertionError if a race sees no fault
   */
  public static void main(String[] args) throws Exception {
    Run run = new Run(args);
    try {
      run.start();
    } catch (AssertionError expected) {
      // Some race failed. The results say which.
    }
    Set<String> blind =
        run.racesWithout(result -> result.status() == Status.NORMAL && !result.grading().isPassed);
    if (!blind.isEmpty()) {
      throw new AssertionError("these races saw no fault: " + blind);
    }
  }
}

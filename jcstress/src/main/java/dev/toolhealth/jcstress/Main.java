package dev.toolhealth.jcstress;

import java.util.Set;
import org.openjdk.jcstress.infra.Status;

/** Runs the races: the main class of the module's executable archive. */
public final class Main {
  private Main() {}

  /**
   * Runs the selected races, or all of them by default.
   *
   * @param args the options of jcstress
   * @throws Exception if a race cannot be run
   * @throws AssertionError if a race fails
   */
  public static void main(String[] args) throws Exception {
    Run run = new Run(args);
    run.start();
    // jcstress skips a race with more actors than cores, and still reports success.
    Set<String> leftOut = run.racesWithout(result -> result.status() == Status.NORMAL);
    if (!leftOut.isEmpty()) {
      throw new IllegalStateException(
          "races not run (with fewer than 3 cores, add -XX:ActiveProcessorCount=3): " + leftOut);
    }
  }
}

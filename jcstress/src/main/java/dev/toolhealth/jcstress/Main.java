package dev.toolhealth.jcstress;

import java.util.Set;
import org.openjdk.jcstress.infra.Status;

/** Runs the races: the main class of the module's executable archive. */
public final class Main {
  private Main() {}

  /**
   * Runs the races that are asked for, all by default.
   *
   * @param args the options of jcstress
   * @throws Exception if a race cannot be run
   * @throws AssertionError if a race fails
   */
  public static void main(String[] args) throws Exception {
    Run run = new Run(args);
    run.start();
    // jcstress leaves out what it cannot run, and is content.
    Set<String> leftOut = run.racesWithout(result -> result.status() == Status.NORMAL);
    if (!leftOut.isEmpty()) {
      throw new IllegalStateException(
          "not run (on fewer than 3 cores, say -XX:ActiveProcessorCount=3): " + leftOut);
    }
  }
}

package dev.toolhealth.tck.learn;

import dev.toolhealth.tck.script.Machine;
import java.util.List;

/**
 * What was learned of a subject.
 *
 * @param specification the machine that the rules demand
 * @param learned the machine that the subject is
 * @param difference a shortest sequence of inputs on which they differ, with what was expected and
 *     what was seen, line by line; empty if they are the same
 */
public record Findings(Machine specification, Machine learned, List<String> difference) {

  /**
   * Creates the findings.
   *
   * @param specification the machine that the rules demand
   * @param learned the machine that the subject is
   * @param difference a shortest sequence of inputs on which they differ, line by line
   */
  public Findings {
    difference = List.copyOf(difference);
  }

  /**
   * Says whether the subject is the machine that the rules demand.
   *
   * @return true if no sequence of inputs tells them apart
   */
  public boolean same() {
    return difference.isEmpty();
  }
}

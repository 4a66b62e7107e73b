package dev.toolhealth.tck.learn;

import dev.toolhealth.tck.script.Machine;
import java.util.List;

/**
 * The result of learning: the subject's machine beside the specification's.
 *
 * @param specification the machine that the rules demand
 * @param learned the machine that the subject implements
 * @param difference a shortest sequence of inputs on which the two machines differ, with the
 *     expected and the actual answer, line by line; empty if the machines are the same
 */
public record Findings(Machine specification, Machine learned, List<String> difference) {

  /**
   * Creates the findings.
   *
   * @param specification the machine that the rules demand
   * @param learned the machine that the subject implements
   * @param difference a shortest sequence of inputs on which the machines differ, line by line
   */
  public Findings {
    difference = List.copyOf(difference);
  }

  /**
   * Returns whether the subject implements the machine that the rules demand.
   *
   * @return true if no sequence of inputs tells the two machines apart
   */
  public boolean same() {
    return difference.isEmpty();
  }
}

package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;

/** A listener for the progress of a certification. */
@FunctionalInterface
public interface Progress {

  /**
   * Called before the checks of a rule run.
   *
   * @param rule the rule
   */
  default void checking(Rule rule) {}

  /**
   * Called before scripts for all rules are played.
   *
   * @param scripts the kind of the scripts, in words
   */
  default void playing(String scripts) {}

  /**
   * Called when the kit stops, because too many scripts have failed.
   *
   * @param wrong the number of failed scripts
   */
  default void stopped(int wrong) {}

  /**
   * Called after scripts for all rules were played.
   *
   * @param account the number and kind of the scripts, in words
   */
  void played(String account);
}

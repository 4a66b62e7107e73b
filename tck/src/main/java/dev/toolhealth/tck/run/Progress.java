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
   * Called before scripts are played that check all rules.
   *
   * @param scripts the kind of the scripts, in words
   */
  default void playing(String scripts) {}

  /**
   * Called when so many scripts have failed that the kit plays no more.
   *
   * @param wrong the number of failed scripts
   */
  default void stopped(int wrong) {}

  /**
   * Called after scripts were played that check all rules.
   *
   * @param account the number and kind of the scripts, in words
   */
  void played(String account);
}

package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;

/** Is told how a certification gets on. */
@FunctionalInterface
public interface Progress {

  /**
   * The checks of a rule begin.
   *
   * @param rule the rule
   */
  default void checking(Rule rule) {}

  /**
   * Scripts begin that serve all rules.
   *
   * @param scripts which, in words
   */
  default void playing(String scripts) {}

  /**
   * Such scripts were played.
   *
   * @param account how many, in words
   */
  void played(String account);
}

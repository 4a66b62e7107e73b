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
   * The subject is broken beyond the need for more proof: the other scripts are not played.
   *
   * @param wrong how many scripts had gone wrong by then
   */
  default void stopped(int wrong) {}

  /**
   * Such scripts were played.
   *
   * @param account how many, in words
   */
  void played(String account);
}

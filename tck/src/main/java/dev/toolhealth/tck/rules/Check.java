package dev.toolhealth.tck.rules;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.spec.Rule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that checks a rule. The method takes a {@link Bench}, and throws a {@link
 * dev.toolhealth.tck.script.Departure} if the subject breaks the rule.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Check {

  /** Returns the checked rule. */
  Rule value();

  /** Returns the capabilities that the check needs; none if the core is enough. */
  Capability[] needs() default {};

  /** Returns the id of the case from the field, for example C01; empty if there is none. */
  String fieldCase() default "";

  /**
   * Returns whether callers race. Such checks are skipped for processes, where callers take turns.
   */
  boolean racing() default false;
}

package dev.toolhealth.tck.rules;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.spec.Rule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that checks a rule. It takes a {@link Bench}, and a subject that breaks the rule
 * makes it throw a {@link dev.toolhealth.tck.script.Departure}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Check {

  /** Says which rule is checked. */
  Rule value();

  /** Says what a subject must offer for the check to mean anything; nothing for the core. */
  Capability[] needs() default {};

  /** Says which case from the field this is, such as C01; empty for none. */
  String fieldCase() default "";

  /** Says whether callers race in it: it shows nothing of a subject that takes them in turn. */
  boolean racing() default false;
}

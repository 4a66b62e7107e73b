package dev.toolhealth.tck.spec;

/**
 * A right answer, with the rule that demands the answer.
 *
 * @param <T> the answer's type
 * @param value the only right answer
 * @param rule the rule that demands the answer
 */
public record Answer<T>(T value, Rule rule) {}

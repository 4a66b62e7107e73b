package dev.toolhealth.tck.spec;

/**
 * What the rules demand, and which of them demands it.
 *
 * @param <T> the answer's type
 * @param value the only right answer
 * @param rule the rule that it follows from
 */
public record Answer<T>(T value, Rule rule) {}

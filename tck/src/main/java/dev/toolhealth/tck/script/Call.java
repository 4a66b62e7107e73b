package dev.toolhealth.tck.script;

/**
 * One call to a subject on the real clock. The call took effect, and read the clock, at an unknown
 * instant between begin and end.
 *
 * @param step the number of the call's step in the scenario
 * @param begin {@link System#nanoTime} immediately before the call
 * @param end {@link System#nanoTime} immediately after the call
 */
public record Call(int step, long begin, long end) {}

package dev.toolhealth.tck.script;

/**
 * One call to a subject on the real clock. It took effect, and read its clock, at an instant in
 * between that nobody else knows.
 *
 * @param step which step of its scenario it was
 * @param begin what {@link System#nanoTime} showed immediately before it
 * @param end what it showed immediately after
 */
public record Call(int step, long begin, long end) {}

/**
 * Adapters of circuit breakers from other libraries, to be timed and judged like any other:
 *
 * <pre>java -jar jmh/target/benchmarks.jar -p subject=dev.toolhealth.jmh.peers.FailsafeAdapter
 * </pre>
 *
 * <p>Each library was made for rules of its own. That it departs from those of the specification
 * says how the two differ, and not that it is wrong. {@link Conformance} writes down where they do,
 * in {@code docs/conformance.md}.
 */
@NullMarked
package dev.toolhealth.jmh.peers;

import org.jspecify.annotations.NullMarked;

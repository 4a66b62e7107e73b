/**
 * Adapters of circuit breakers from other libraries. Benchmarks and the kit accept them like any
 * other adapter:
 *
 * <pre>java -jar jmh/target/benchmarks.jar -p subject=dev.toolhealth.jmh.peers.FailsafeAdapter
 * </pre>
 *
 * <p>Each library follows a contract of its own. A departure from our specification is a difference
 * and not a defect. {@link Conformance} lists the differences in {@code docs/conformance.md}.
 */
@NullMarked
package dev.toolhealth.jmh.peers;

import org.jspecify.annotations.NullMarked;

/**
 * Benchmarks of the operations on a tool, with baselines in the same run.
 *
 * <ul>
 *   <li>{@link Operations} and {@link WhileOpen} measure the operations that users call. The
 *       parameter {@code subject} names the adapter.
 *   <li>{@link Calls} measures complete calls of a tool that does some work, and {@link Guarded}
 *       measures permits and the dispatcher.
 *   <li>{@link ManyTools}, {@link SummaryBesideWriter} and {@link FirstSight} measure large
 *       registries.
 *   <li>{@link Footprint} measures the size of a tool in bytes.
 *   <li>{@link Baselines} measures the building blocks of the operations, and {@link Body} the work
 *       of the tool in {@link Calls}.
 * </ul>
 *
 * <p>{@code Alone} means one thread. {@code Shared} means two threads that share everything.
 *
 * <p>{@link Comparison} runs the benchmarks for the reference and its peers, and writes a page:
 *
 * <pre>java -cp jmh/target/benchmarks.jar dev.toolhealth.jmh.Comparison --out docs</pre>
 *
 * <p>{@link Main} is JMH's own command line, for single benchmarks. {@code -h} lists the options:
 *
 * <pre>java -jar jmh/target/benchmarks.jar -f 1 -p access=HANDLE 'Alone.(record|twoAtomicAdds)'
 * </pre>
 */
@NullMarked
package dev.toolhealth.jmh;

import org.jspecify.annotations.NullMarked;

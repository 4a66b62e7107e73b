/**
 * What the operations on a tool cost, beside baselines from the same run.
 *
 * <p>{@link Operations} and {@link WhileOpen} time what users call, of whatever adapter the
 * parameter {@code subject} names, {@link Calls} whole calls of a tool that does something, {@link
 * ManyTools}, {@link SummaryBesideWriter} and {@link FirstSight} what happens in a large registry;
 * {@link Footprint} weighs a tool. {@link Baselines} are the steps that operations are made of,
 * {@link Body} the tool of {@link Calls}. {@code Alone} is one thread, {@code Shared} two that
 * share everything.
 *
 * <p>{@link Comparison} runs what is worth comparing, beside the peers, and writes a page of it:
 *
 * <pre>java -cp jmh/target/benchmarks.jar dev.toolhealth.jmh.Comparison --out docs</pre>
 *
 * <p>{@link Main} is JMH's own command line, for single benchmarks; {@code -h} lists its options:
 *
 * <pre>java -jar jmh/target/benchmarks.jar -f 1 -p access=HANDLE 'Alone.(record|twoAtomicAdds)'
 * </pre>
 */
@NullMarked
package dev.toolhealth.jmh;

import org.jspecify.annotations.NullMarked;

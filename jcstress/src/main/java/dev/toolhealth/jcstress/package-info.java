/**
 * Races for jcstress: short scenarios with one thread per actor. jcstress repeats each race many
 * times and compares the observed outcomes with the legal outcomes. An outcome is legal if some
 * sequential order of the calls produces it under the rules. Ids such as BRK-3 name rules in {@code
 * docs/spec.md}.
 *
 * <p>{@code mvn verify} runs every race briefly. The full run covers more JVM modes and takes about
 * two hours on two cores:
 *
 * <pre>{@code
 * mvn -pl jcstress -am verify -Djcstress.args="-m default -spinStyle THREAD_YIELD"
 * }</pre>
 *
 * <p>The jar that the build makes accepts the options of jcstress; {@code -h} lists them. On fewer
 * than three cores, add this JVM option:
 *
 * <pre>{@code
 * java -XX:ActiveProcessorCount=3 -jar jcstress/target/jcstress.jar -t OracleBesideGate
 * }</pre>
 *
 * <p>The races run against the reference implementation. To race another subject, name its {@link
 * dev.toolhealth.tck.Adapter} with {@code -Dtoolhealth.subject=com.example.MyAdapter}. If the
 * adapter is in a jar of your own, replace {@code -jar} by {@code -cp
 * jcstress/target/jcstress.jar:my.jar dev.toolhealth.jcstress.Main}.
 *
 * <p>The jar contains two more subjects. {@code dev.toolhealth.tck.locking.LockingAdapter} holds a
 * lock for every operation. {@link dev.toolhealth.jcstress.UnguardedAdapter} holds none, and the
 * build fails if a race passes on this faulty subject.
 */
@NullMarked
package dev.toolhealth.jcstress;

import org.jspecify.annotations.NullMarked;

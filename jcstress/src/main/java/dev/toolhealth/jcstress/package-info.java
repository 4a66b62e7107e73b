/**
 * Races: short scenes that jcstress plays over and over, each actor in a thread of its own, and
 * whose outcomes it compares with the legal ones. An outcome is legal if some order of the calls
 * gives it under the rules; ids such as BRK-3 name rules of {@code docs/spec.md}.
 *
 * <p>{@code mvn verify} runs every race for a moment. The full run has more kinds of JVM, and takes
 * about two hours on two cores:
 *
 * <pre>{@code
 * mvn -pl jcstress -am verify -Djcstress.args="-m default -spinStyle THREAD_YIELD"
 * }</pre>
 *
 * <p>The archive that the build makes takes the options of jcstress too, {@code -h} for a list.
 * With fewer than three cores it needs the option of the JVM as well:
 *
 * <pre>{@code
 * java -XX:ActiveProcessorCount=3 -jar jcstress/target/jcstress.jar -t OracleBesideGate
 * }</pre>
 *
 * <p>The subject is the reference implementation, or with {@code
 * -Dtoolhealth.subject=com.example.MyAdapter} the one behind that {@link
 * dev.toolhealth.tck.Adapter}; one that is not in the archive needs {@code -cp
 * jcstress/target/jcstress.jar:my.jar dev.toolhealth.jcstress.Main} in place of {@code -jar}. Two
 * more are in the archive: {@code dev.toolhealth.tck.locking.LockingAdapter} does everything under
 * a lock, and {@link dev.toolhealth.jcstress.UnguardedAdapter} nothing. The build fails if a race
 * finds no fault with the last.
 */
@NullMarked
package dev.toolhealth.jcstress;

import org.jspecify.annotations.NullMarked;

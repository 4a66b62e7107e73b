/**
 * What the operations on a tool cost, beside baselines from the same run.
 *
 * <p>{@link Operations} times whatever adapter the parameter {@code subject} names, {@link
 * Baselines} the steps that such operations are made of. Each is run by one thread ({@code Alone})
 * and by two that share everything ({@code Shared}). After {@code mvn package}, this runs all of it
 * in about half an hour, and prints {@link Main}'s table after JMH's own:
 *
 * <pre>java -jar jmh/target/benchmarks.jar -prof gc -rf json -rff results.json</pre>
 *
 * <p>Names, a parameter or fewer forks make it shorter; {@code -h} shows all the options, which are
 * JMH's:
 *
 * <pre>java -jar jmh/target/benchmarks.jar -f 1 -p access=HANDLE 'Alone.(record|twoAtomicAdds)'
 * </pre>
 *
 * <p>To time another implementation, put its adapter on the class path:
 *
 * <pre>
 * java -cp jmh/target/benchmarks.jar:my.jar dev.toolhealth.jmh.Main -p subject=com.example.MyAdapter
 * </pre>
 */
@NullMarked
package dev.toolhealth.jmh;

import org.jspecify.annotations.NullMarked;

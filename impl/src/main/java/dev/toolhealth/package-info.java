/**
 * The health of the tools that an agent calls: statistics, a score and a circuit breaker for each.
 *
 * <p>Start with {@link dev.toolhealth.ToolHealthRegistry}, or with {@link
 * dev.toolhealth.dispatch.ToolDispatcher} to call tools through it. Conventions in this package:
 *
 * <ul>
 *   <li>Ids such as BRK-3 name rules of the specification, {@code docs/spec.md}.
 *   <li>Every public type is safe for use by multiple threads, except builders.
 *   <li>Arguments are never null, and no method returns null. A null argument is refused with a
 *       {@link java.lang.NullPointerException} that names the argument, before anything changes
 *       (BAD-1).
 *   <li>Times are nanoseconds of one monotonic clock with an arbitrary origin. Only differences
 *       matter, so the clock may start anywhere and may pass {@link java.lang.Long#MAX_VALUE}
 *       (BAD-2).
 *   <li>A duration too long for a {@code long} of nanoseconds (292 years) counts as {@link
 *       java.lang.Long#MAX_VALUE} nanoseconds.
 * </ul>
 */
@NullMarked
package dev.toolhealth;

import org.jspecify.annotations.NullMarked;

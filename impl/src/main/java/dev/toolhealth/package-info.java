/**
 * Counts how each tool has been doing, and decides whether its next call may go out.
 *
 * <p>Start at {@link dev.toolhealth.ToolHealthRegistry}. Conventions that hold everywhere in this
 * package:
 *
 * <ul>
 *   <li>Ids such as BRK-3 name rules of the specification, {@code docs/spec.md}.
 *   <li>Every public type is safe for use by any number of threads.
 *   <li>No argument is ever null and no method returns null. A null argument is refused with a
 *       {@link java.lang.NullPointerException} that names it, before anything has changed (BAD-1).
 *   <li>Times are nanoseconds of one monotonic clock whose origin means nothing: only differences
 *       are looked at, so the clock may start anywhere and may pass {@link
 *       java.lang.Long#MAX_VALUE} (BAD-2).
 *   <li>A duration too long for a {@code long} of nanoseconds (292 years) counts as the longest
 *       one.
 * </ul>
 */
@NullMarked
package dev.toolhealth;

import org.jspecify.annotations.NullMarked;

/**
 * What the author of an implementation needs: {@link dev.toolhealth.tck.Adapter} to write, {@link
 * dev.toolhealth.tck.Subject} to return from it, and the small types that they speak of.
 *
 * <p>Durations and times are {@code long} nanoseconds. Ids such as BRK-3 name rules of the
 * specification, {@code docs/spec.md}.
 */
@NullMarked
package dev.toolhealth.tck;

import org.jspecify.annotations.NullMarked;

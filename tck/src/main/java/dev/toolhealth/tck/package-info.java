/**
 * The adapter interface: the types to implement before the kit can judge a library.
 *
 * <p>Write an {@link dev.toolhealth.tck.Adapter} and a {@link dev.toolhealth.tck.Subject}, and
 * declare the features of your library as {@link dev.toolhealth.tck.Capability} constants. {@link
 * dev.toolhealth.tck.Handle} and {@link dev.toolhealth.tck.Permit} are needed only for two of the
 * capabilities. The remaining types are plain values.
 *
 * <p>Durations and times are {@code long} nanoseconds. Ids such as BRK-3 name rules of the
 * specification, {@code docs/spec.md}. Nothing is null unless the documentation says so.
 */
@NullMarked
package dev.toolhealth.tck;

import org.jspecify.annotations.NullMarked;

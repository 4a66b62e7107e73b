/**
 * Subjects that are processes, in whatever language: {@link
 * dev.toolhealth.tck.process.ProcessAdapter} speaks to one over its standard input and output, as
 * {@code docs/protocol.md} says.
 */
@NullMarked
package dev.toolhealth.tck.process;

import org.jspecify.annotations.NullMarked;

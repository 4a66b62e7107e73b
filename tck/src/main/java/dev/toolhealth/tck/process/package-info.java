/**
 * Subjects in other processes, written in any language. {@link
 * dev.toolhealth.tck.process.ProcessAdapter} starts a process and talks to it over standard input
 * and output, in the protocol of {@code docs/protocol.md}.
 */
@NullMarked
package dev.toolhealth.tck.process;

import org.jspecify.annotations.NullMarked;

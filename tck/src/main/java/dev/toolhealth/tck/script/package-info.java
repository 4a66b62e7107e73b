/**
 * Scripts: sequences of steps for a subject, with the expected answers. A script is plain data, so
 * the kit can generate, shrink, replay and print it.
 */
@NullMarked
package dev.toolhealth.tck.script;

import org.jspecify.annotations.NullMarked;

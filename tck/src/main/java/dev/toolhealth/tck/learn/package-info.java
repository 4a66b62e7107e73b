/**
 * Learning: the kit plays inputs to a subject, infers the subject's state machine, and draws the
 * machine.
 */
@NullMarked
package dev.toolhealth.tck.learn;

import org.jspecify.annotations.NullMarked;

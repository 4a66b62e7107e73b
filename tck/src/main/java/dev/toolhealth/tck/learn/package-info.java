/** Learning: infers the state machine of a subject by asking it, and draws it. */
@NullMarked
package dev.toolhealth.tck.learn;

import org.jspecify.annotations.NullMarked;

/** Tests of the learner and of its diagrams. */
@NullMarked
package dev.toolhealth.tck.learn;

import org.jspecify.annotations.NullMarked;

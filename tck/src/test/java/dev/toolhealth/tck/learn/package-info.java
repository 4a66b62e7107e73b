/** Tests of what is learned of subjects, and of how it is drawn. */
@NullMarked
package dev.toolhealth.tck.learn;

import org.jspecify.annotations.NullMarked;

/** Certification: all checks run, their results by rule, and the command line. */
@NullMarked
package dev.toolhealth.tck.run;

import org.jspecify.annotations.NullMarked;

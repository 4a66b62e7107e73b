/** The certification of a subject, its reports, and the command line. */
@NullMarked
package dev.toolhealth.tck.run;

import org.jspecify.annotations.NullMarked;

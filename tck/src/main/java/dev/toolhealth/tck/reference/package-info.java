/** The adapter of the bundled reference implementation. */
@NullMarked
package dev.toolhealth.tck.reference;

import org.jspecify.annotations.NullMarked;

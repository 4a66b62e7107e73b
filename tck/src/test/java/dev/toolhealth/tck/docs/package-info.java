/** Tests that the documents agree with the code. */
@NullMarked
package dev.toolhealth.tck.docs;

import org.jspecify.annotations.NullMarked;

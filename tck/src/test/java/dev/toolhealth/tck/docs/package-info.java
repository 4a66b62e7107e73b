/** Keeps the documents and the code together. */
@NullMarked
package dev.toolhealth.tck.docs;

import org.jspecify.annotations.NullMarked;

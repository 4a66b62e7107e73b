/**
 * Scripts: what is done to a subject, one step after the other, and what is expected of it. A
 * script is plain data, so that it can be generated, shrunk, replayed and printed.
 */
@NullMarked
package dev.toolhealth.tck.script;

import org.jspecify.annotations.NullMarked;

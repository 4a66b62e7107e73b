/** The rules, and a sequential model of what they demand. */
@NullMarked
package dev.toolhealth.tck.spec;

import org.jspecify.annotations.NullMarked;

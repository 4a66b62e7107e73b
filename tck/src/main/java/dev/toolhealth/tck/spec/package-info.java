/** The rules, and a sequential model that satisfies the rules. */
@NullMarked
package dev.toolhealth.tck.spec;

import org.jspecify.annotations.NullMarked;

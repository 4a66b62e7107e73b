/**
 * The checks of the rules, a class a chapter. Each says in its Javadoc what it does and, where that
 * is not plain, what to look at when it fails.
 */
@NullMarked
package dev.toolhealth.tck.rules;

import org.jspecify.annotations.NullMarked;

/** The kit as a JUnit test: one base class to extend. */
@NullMarked
package dev.toolhealth.tck.junit;

import org.jspecify.annotations.NullMarked;

/** Tools of Spring AI behind circuit breakers. */
@NullMarked
package dev.toolhealth.examples.springai;

import org.jspecify.annotations.NullMarked;

/**
 * Reports of benchmark results: JMH's JSON in, Markdown and charts out.
 *
 * <p>A {@link Run} has the results of one JVM, and a {@link Measurement} the result of one
 * benchmark. {@link Report} generates the sections of the page, {@link Bars} defines the limits,
 * and {@link Charts} draws the charts. {@link Page} inserts them into the hand-written page.
 */
@NullMarked
package dev.toolhealth.jmh.report;

import org.jspecify.annotations.NullMarked;

/**
 * Makes pages of results: JMH's JSON in, Markdown and charts out.
 *
 * <p>A {@link Run} is what one JVM was measured by, a {@link Measurement} a benchmark of it. {@link
 * Report} has the sections of the page, {@link Bars} what shall be kept to, {@link Charts} the
 * pictures; {@link Page} puts them between the lines of a text that is written by hand.
 */
@NullMarked
package dev.toolhealth.jmh.report;

import org.jspecify.annotations.NullMarked;

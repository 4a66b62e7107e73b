/**
 * The checks of the rules, one class for each chapter. The Javadoc of each check describes the
 * script and where to look on failure.
 *
 * <p>A check does not apply to a subject without every capability in {@link
 * dev.toolhealth.tck.rules.Check#needs}. Without {@link
 * dev.toolhealth.tck.Capability#MANUAL_CLOCK}, the checks in {@code WallClockRules} replace the
 * checks with a manual clock. Racing checks do not apply to a subject in another process, because
 * requests to a process take turns.
 */
@NullMarked
package dev.toolhealth.tck.rules;

import org.jspecify.annotations.NullMarked;

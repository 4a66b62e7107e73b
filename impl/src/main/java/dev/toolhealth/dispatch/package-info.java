/**
 * Calls of tools through their circuit breakers: a dispatcher, which asks the gate, runs the tool
 * and records the outcome, and a router to substitutes.
 *
 * <p>Start with {@link dev.toolhealth.dispatch.ToolDispatcher}. This package uses only the public
 * API of {@link dev.toolhealth}, so a loop of your own can do the same. The conventions of {@link
 * dev.toolhealth} apply here too.
 */
@NullMarked
package dev.toolhealth.dispatch;

import org.jspecify.annotations.NullMarked;

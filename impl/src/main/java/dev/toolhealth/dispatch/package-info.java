/**
 * Calls of tools through their circuit breakers: a dispatcher that asks the gate, runs the tool and
 * records the outcome, and a router to substitutes.
 *
 * <p>Start with {@link dev.toolhealth.dispatch.ToolDispatcher}. This package uses only the public
 * API of {@link dev.toolhealth}, so a loop of your own can do everything that it does. The
 * conventions of that package hold here too.
 */
@NullMarked
package dev.toolhealth.dispatch;

import org.jspecify.annotations.NullMarked;

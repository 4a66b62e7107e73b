/**
 * The specification once more, with one lock per tool and nothing clever: what the kit is tried on,
 * and what lock-free code is timed against. Ids such as BRK-3 name rules of {@code docs/spec.md}.
 */
@NullMarked
package dev.toolhealth.tck.locking;

import org.jspecify.annotations.NullMarked;

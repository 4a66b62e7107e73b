/**
 * A second implementation of the specification, with one lock per tool and no clever code, and the
 * catalogue of faulty implementations derived from it. They test the kit. Benchmarks use the
 * correct implementation as a baseline for lock-free code. Ids such as BRK-3 are rules of {@code
 * docs/spec.md}.
 */
@NullMarked
package dev.toolhealth.tck.locking;

import org.jspecify.annotations.NullMarked;

package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Handle;

/** A library's breaker: it guards one tool, so it is what the kit calls a handle. */
interface Breaker extends Handle {
  CircuitState state();
}

package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Handle;

/** A library's breaker. A breaker guards a single tool, like a handle of the kit. */
interface Breaker extends Handle {
  CircuitState state();
}

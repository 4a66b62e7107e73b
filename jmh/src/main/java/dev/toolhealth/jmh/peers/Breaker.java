package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Handle;

/** A library's breaker. It guards one tool, which makes it a handle in the kit's terms. */
interface Breaker extends Handle {
  CircuitState state();
}

package dev.toolhealth.jmh.peers;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A subject with one breaker for each name. */
final class Breakers implements Subject {
  private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();
  private final Function<String, Breaker> factory;

  Breakers(Function<String, Breaker> factory) {
    this.factory = factory;
  }

  @Override
  public boolean allowRequest(String tool) {
    return breaker(tool).allowRequest();
  }

  @Override
  public void recordSuccess(String tool, long nanos) {
    breaker(tool).recordSuccess(nanos);
  }

  @Override
  public void recordFailure(String tool, long nanos) {
    breaker(tool).recordFailure(nanos);
  }

  @Override
  public Handle handle(String tool) {
    return breaker(tool);
  }

  @Override
  public CircuitState circuitState(String tool) {
    Breaker known = breakers.get(requireNonNull(tool, "tool"));
    return known == null ? CircuitState.CLOSED : known.state();
  }

  private Breaker breaker(String tool) {
    // Try get first, because computeIfAbsent may lock even for a known name.
    Breaker known = breakers.get(requireNonNull(tool, "tool"));
    return known == null ? breakers.computeIfAbsent(tool, factory) : known;
  }
}

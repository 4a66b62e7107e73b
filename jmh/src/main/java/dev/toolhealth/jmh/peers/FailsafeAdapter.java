package dev.toolhealth.jmh.peers;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.CircuitBreakerBuilder;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * An adapter of Failsafe's breaker, which reads the system clock and has no probe timeout.
 *
 * <p>Failsafe cannot be configured never to trip. A threshold of 0 therefore becomes an unreachable
 * number of failures in ten milliseconds, and benchmarks then measure Failsafe's counting by time.
 */
public final class FailsafeAdapter extends PeerAdapter {
  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.CIRCUIT_STATE, Capability.HANDLES);
  }

  @Override
  Function<String, Breaker> factory(Config config, LongSupplier nanoClock) {
    CircuitBreakerBuilder<Object> builder =
        CircuitBreaker.builder()
            .withDelay(Duration.ofNanos(config.recoveryNanos()))
            .withSuccessThreshold(1);
    if (config.failureThreshold() == 0) {
      builder.withFailureThreshold(Integer.MAX_VALUE, Duration.ofMillis(10));
    } else {
      builder.withFailureThreshold(config.failureThreshold());
    }
    return name -> new Single(builder.build());
  }

  private record Single(CircuitBreaker<Object> breaker) implements Breaker {
    @Override
    public boolean allowRequest() {
      return breaker.tryAcquirePermit();
    }

    @Override
    public void recordSuccess(long nanos) {
      breaker.recordSuccess();
    }

    @Override
    public void recordFailure(long nanos) {
      breaker.recordFailure();
    }

    @Override
    public CircuitState state() {
      return switch (breaker.getState()) {
        case CLOSED -> CircuitState.CLOSED;
        case OPEN -> CircuitState.OPEN;
        case HALF_OPEN -> CircuitState.HALF_OPEN;
      };
    }
  }
}

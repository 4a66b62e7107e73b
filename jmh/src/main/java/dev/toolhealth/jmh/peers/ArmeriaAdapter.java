package dev.toolhealth.jmh.peers;

import com.linecorp.armeria.client.circuitbreaker.CircuitBreaker;
import com.linecorp.armeria.client.circuitbreaker.CircuitBreakerBuilder;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Armeria's breaker. It knows no runs of failures: it trips if the failure rate over a window of
 * time exceeds a bound, at which it looks once in an interval. Window and interval are left at 20
 * seconds and 1 second, since it keeps a counter for every interval in the window. So the failure
 * that should trip does not do so at once, and what is timed as a refusal is none: the count of
 * unexpected answers says so.
 *
 * <p>A rate must exceed the bound, so one just below 100 % means that all calls failed, and a bound
 * of 100 % that it never trips. Its durations cannot be 0: a recovery duration of 0 becomes a
 * nanosecond, and a probe timeout of 0, which is none, for ever.
 */
public final class ArmeriaAdapter extends PeerAdapter {
  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.CIRCUIT_STATE, Capability.HANDLES);
  }

  @Override
  Function<String, Breaker> factory(Config config, LongSupplier nanoClock) {
    long lease = config.probeTimeoutNanos() == 0 ? Long.MAX_VALUE : config.probeTimeoutNanos();
    CircuitBreakerBuilder builder =
        CircuitBreaker.builder()
            .minimumRequestThreshold(config.failureThreshold())
            .failureRateThreshold(config.failureThreshold() == 0 ? 1 : Math.nextDown(1.0))
            .circuitOpenWindow(Duration.ofNanos(Math.max(1, config.recoveryNanos())))
            .trialRequestInterval(Duration.ofNanos(lease));
    return name -> new Single(builder.build());
  }

  private record Single(CircuitBreaker breaker) implements Breaker {
    @Override
    public boolean allowRequest() {
      return breaker.tryRequest();
    }

    @Override
    public void recordSuccess(long nanos) {
      breaker.onSuccess();
    }

    @Override
    public void recordFailure(long nanos) {
      breaker.onFailure();
    }

    @Override
    public CircuitState state() {
      return switch (breaker.circuitState()) {
        case CLOSED -> CircuitState.CLOSED;
        case OPEN, FORCED_OPEN -> CircuitState.OPEN;
        case HALF_OPEN -> CircuitState.HALF_OPEN;
      };
    }
  }
}

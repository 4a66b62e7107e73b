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
 * An adapter of Armeria's breaker. Armeria has no failure runs. The breaker trips if the failure
 * rate over a time window exceeds a bound, and checks the rate once per interval. Window and
 * interval keep their defaults of 20 seconds and 1 second, because Armeria keeps a counter for
 * every interval in the window. The failure that reaches the threshold therefore trips the breaker
 * with a delay. If a benchmark of refusals measures granted calls instead, the count of unexpected
 * answers shows it.
 *
 * <p>The rate must exceed the bound. A bound just below 100 % therefore means that all calls
 * failed, and with a bound of 100 % the breaker never trips. Armeria's durations cannot be 0. A
 * recovery duration of 0 becomes a nanosecond. A probe timeout of 0, which means no timeout,
 * becomes the longest duration.
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

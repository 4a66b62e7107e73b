package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * An adapter of Resilience4j's breaker, with a window of as many calls as the threshold and a
 * failure rate of 100 %.
 *
 * <p>Resilience4j waits for whole milliseconds, so the adapter rounds the recovery duration up. Its
 * limit for HALF_OPEN is similar to a probe timeout, but stays off: it uses a timer, which would be
 * a second clock beside the injected one. A threshold of 0 becomes the state METRICS_ONLY, which
 * counts and never trips.
 */
public final class Resilience4jAdapter extends PeerAdapter {
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.MANUAL_CLOCK, Capability.CIRCUIT_STATE, Capability.HANDLES);
  }

  @Override
  Function<String, Breaker> factory(Config config, LongSupplier nanoClock) {
    CircuitBreakerConfig translated = translate(config, nanoClock);
    return name -> new Single(CircuitBreaker.of(name, translated));
  }

  private static CircuitBreakerConfig translate(Config config, LongSupplier nanoClock) {
    long recoveryMillis = millis(config.recoveryNanos());
    CircuitBreakerConfig.Builder builder =
        CircuitBreakerConfig.custom()
            .failureRateThreshold(100)
            // By default, calls that take a minute would trip the breaker as well.
            .slowCallDurationThreshold(FOR_EVER)
            // The setter for a fixed duration rejects 0.
            .waitIntervalFunctionInOpenState(attempt -> recoveryMillis)
            .permittedNumberOfCallsInHalfOpenState(1)
            .clock(clock(nanoClock))
            .currentTimestampFunction(clock -> nanoClock.getAsLong(), TimeUnit.NANOSECONDS);
    int threshold = config.failureThreshold();
    return threshold == 0
        ? builder.initialState(CircuitBreaker.State.METRICS_ONLY).build()
        : builder.slidingWindow(threshold, threshold, SlidingWindowType.COUNT_BASED).build();
  }

  private static long millis(long nanos) {
    long down = TimeUnit.NANOSECONDS.toMillis(nanos);
    return TimeUnit.MILLISECONDS.toNanos(down) == nanos ? down : down + 1;
  }

  /** Starts at the epoch, because a nano clock has any origin and may wrap; instants cannot. */
  private static Clock clock(LongSupplier nanoClock) {
    long origin = nanoClock.getAsLong();
    InstantSource source = () -> Instant.EPOCH.plusNanos(nanoClock.getAsLong() - origin);
    return source.withZone(ZoneOffset.UTC);
  }

  private record Single(CircuitBreaker breaker) implements Breaker {
    @SuppressWarnings("StaticAssignmentOfThrowable") // only its presence matters
    private static final Exception FAILURE = new Exception("a failure");

    @Override
    public boolean allowRequest() {
      return breaker.tryAcquirePermission();
    }

    @Override
    public void recordSuccess(long nanos) {
      breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void recordFailure(long nanos) {
      breaker.onError(nanos, TimeUnit.NANOSECONDS, FAILURE);
    }

    @Override
    public CircuitState state() {
      return switch (breaker.getState()) {
        case OPEN, FORCED_OPEN -> CircuitState.OPEN;
        case HALF_OPEN -> CircuitState.HALF_OPEN;
        case CLOSED, METRICS_ONLY, DISABLED -> CircuitState.CLOSED;
      };
    }
  }
}

package dev.toolhealth;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jetbrains.lincheck.datastructures.Operation;

/** The operations of a breaker and its clock for Lincheck. */
public abstract class BreakerOperations {
  private static final long RECOVERY = 1;
  private static final long LEASE = 1;

  private final AtomicLong clock = new AtomicLong();
  private final int threshold;
  private final Breaker breaker;

  BreakerOperations(int threshold) {
    this.threshold = threshold;
    this.breaker =
        breaker(
            CircuitBreakerConfig.ofDefaults()
                .withFailureThreshold(threshold)
                .withRecoveryDuration(Duration.ofNanos(RECOVERY))
                .withProbeTimeout(Duration.ofNanos(LEASE)),
            clock::get);
  }

  /** The breaker under test. */
  interface Breaker {
    boolean allowRequest();

    boolean isAvailable();

    void recordSuccess();

    void recordFailure();

    /** Returns the state and the consecutive failures. */
    String look();
  }

  abstract Breaker breaker(CircuitBreakerConfig config, LongSupplier clock);

  /** Returns the sequential model of the breaker. */
  SequentialBreaker specification() {
    return SequentialBreaker.closed(threshold, RECOVERY, LEASE);
  }

  @Operation
  public boolean allowRequest() {
    return breaker.allowRequest();
  }

  @Operation
  public boolean isAvailable() {
    return breaker.isAvailable();
  }

  @Operation
  public void recordSuccess() {
    breaker.recordSuccess();
  }

  @Operation
  public void recordFailure() {
    breaker.recordFailure();
  }

  @Operation
  public String look() {
    return breaker.look();
  }

  @Operation
  public void tick() {
    clock.incrementAndGet();
  }
}

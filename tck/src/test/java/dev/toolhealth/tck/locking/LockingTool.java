package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.SummaryEntry;
import java.math.BigInteger;
import java.util.function.LongSupplier;

/** A tool with one lock for counters, moving average and breaker. */
class LockingTool implements Handle {
  /*
   * The synchronized methods are the operations. The other methods are their steps and run with the
   * lock held. An operation reads the clock at most once, under the lock, so its value is never
   * older than the times in the fields. Times are compared only by their difference, because the
   * clock may wrap.
   */

  static final long EWMA_ONE = 1_000_000;

  final Config config;
  final LongSupplier clock;

  long successes;
  long failures;
  long durationSum;
  long durationMax;
  long ewma = EWMA_ONE;

  /** May still be HALF_OPEN after the lease has expired. {@link #stateAt} corrects this. */
  CircuitState state = CircuitState.CLOSED;

  long consecutiveFailures;

  /** Meaningful only while OPEN. */
  long cooldownStart;

  /** Meaningful only while HALF_OPEN. */
  long probeStart;

  LockingTool(Config config, LongSupplier clock) {
    this.config = config;
    this.clock = clock;
  }

  @Override
  public synchronized boolean allowRequest() {
    return admit();
  }

  @Override
  public synchronized void recordSuccess(long nanos) {
    countSuccess(nanos);
    applySuccess();
  }

  @Override
  public synchronized void recordFailure(long nanos) {
    countFailure(nanos);
    applyFailure();
  }

  synchronized boolean isAvailable() {
    return state == CircuitState.CLOSED || mayProbe(clock.getAsLong());
  }

  synchronized CircuitState circuitState() {
    return stateAt(clock.getAsLong());
  }

  synchronized long consecutiveFailures() {
    return consecutiveFailures;
  }

  synchronized long ewma() {
    return ewma;
  }

  synchronized Statistics statistics() {
    long average = total() == 0 ? 0 : durationSum / total();
    return new Statistics(
        successes, failures, total(), successRate(), durationSum, average, durationMax);
  }

  synchronized SummaryEntry summary() {
    return new SummaryEntry(status(), score());
  }

  synchronized double score() {
    return 0.3 * successRate() + 0.7 * ((double) ewma / EWMA_ONE);
  }

  synchronized HealthStatus status() {
    if (circuitState() == CircuitState.OPEN) {
      return HealthStatus.UNHEALTHY;
    }
    if (scoreIsAtLeast(8)) {
      return HealthStatus.HEALTHY;
    }
    return scoreIsAtLeast(5) ? HealthStatus.DEGRADED : HealthStatus.UNHEALTHY;
  }

  void addDuration(long nanos) {
    long duration = Math.max(0, nanos);
    boolean fits = duration <= Long.MAX_VALUE - durationSum;
    durationSum = fits ? durationSum + duration : Long.MAX_VALUE;
    durationMax = Math.max(durationMax, duration);
  }

  void addSample(long sample) {
    ewma = (7 * ewma + 3 * sample) / 10;
  }

  long total() {
    return successes + failures;
  }

  double successRate() {
    return total() == 0 ? 1.0 : (double) successes / total();
  }

  /** Compares 10 000 000 times score and total, so that nothing is rounded (SCORE-4). */
  boolean scoreIsAtLeast(long tenths) {
    BigInteger score = product(3 * EWMA_ONE, successes).add(product(7 * ewma, total()));
    return score.compareTo(product(tenths * EWMA_ONE, total())) >= 0;
  }

  static BigInteger product(long a, long b) {
    return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
  }

  boolean admit() {
    if (state == CircuitState.CLOSED) {
      return true;
    }
    long now = clock.getAsLong();
    endExpiredLease(now);
    if (!mayProbe(now)) {
      return false;
    }
    grantProbe(now);
    return true;
  }

  void countSuccess(long nanos) {
    successes++;
    addDuration(nanos);
    addSample(EWMA_ONE);
  }

  void countFailure(long nanos) {
    failures++;
    addDuration(nanos);
    addSample(0);
  }

  /** Applies a success to the breaker. */
  void applySuccess() {
    if (state == CircuitState.HALF_OPEN) {
      endExpiredLease(clock.getAsLong());
    }
    // A success while OPEN is stale and therefore ignored (STALE-1).
    if (state != CircuitState.OPEN) {
      close();
    }
  }

  /** Applies a failure to the breaker. */
  void applyFailure() {
    consecutiveFailures++;
    long now = clock.getAsLong();
    endExpiredLease(now);
    switch (state) {
      case CLOSED -> {
        if (reachesThreshold()) {
          open(now);
        }
      }
      case OPEN -> restartCooldown(now);
      case HALF_OPEN -> relapse(now);
    }
  }

  /** Returns the state; an expired probe counts as OPEN even if nobody has noticed (LEASE-1). */
  CircuitState stateAt(long now) {
    return leaseExpired(now) ? CircuitState.OPEN : state;
  }

  long cooldownStartAt(long now) {
    return leaseExpired(now) ? leaseEnd() : cooldownStart;
  }

  boolean leaseExpired(long now) {
    return state == CircuitState.HALF_OPEN && config.probeTimeoutNanos() != 0 && leaseElapsed(now);
  }

  boolean leaseElapsed(long now) {
    return now - probeStart >= config.probeTimeoutNanos();
  }

  long leaseEnd() {
    return probeStart + config.probeTimeoutNanos();
  }

  boolean mayProbe(long now) {
    return stateAt(now) == CircuitState.OPEN && cooldownElapsed(now);
  }

  boolean cooldownElapsed(long now) {
    return now - cooldownStartAt(now) >= config.recoveryNanos();
  }

  boolean reachesThreshold() {
    return config.failureThreshold() != 0 && consecutiveFailures >= config.failureThreshold();
  }

  void endExpiredLease(long now) {
    if (leaseExpired(now)) {
      open(leaseEnd());
    }
  }

  void grantProbe(long now) {
    state = CircuitState.HALF_OPEN;
    probeStart = now;
  }

  void close() {
    state = CircuitState.CLOSED;
    consecutiveFailures = 0;
  }

  void open(long since) {
    state = CircuitState.OPEN;
    cooldownStart = since;
  }

  /** Opens the breaker after the live probe has failed. */
  void relapse(long now) {
    open(now);
  }

  void restartCooldown(long now) {
    // A clock that steps back must not shorten the cooldown (STALE-5).
    if (now - cooldownStart > 0) {
      cooldownStart = now;
    }
  }
}

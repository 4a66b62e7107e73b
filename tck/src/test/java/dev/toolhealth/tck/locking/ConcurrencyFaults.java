package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Faults that only show with several threads. */
final class ConcurrencyFaults {
  private ConcurrencyFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.CONC_1,
            "the breaker hears of outcomes outside the lock",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordSuccess(long nanos) {
                    synchronized (this) {
                      countSuccess(nanos);
                    }
                    heedSuccess();
                  }

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordFailure(long nanos) {
                    synchronized (this) {
                      countFailure(nanos);
                    }
                    heedFailure();
                  }
                }),
        Fault.inTool(
            Rule.CONC_2,
            "successes are counted outside the lock",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordSuccess(long nanos) {
                    long before = successes;
                    super.recordSuccess(nanos);
                    successes = before + 1;
                  }
                }),
        Fault.inTool(
            Rule.CONC_2,
            "the EWMA moves outside the lock",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordFailure(long nanos) {
                    long before = ewma;
                    super.recordFailure(nanos);
                    ewma = 7 * before / 10;
                  }
                }),
        Fault.inTool(
            Rule.CONC_2,
            "the sum and the maximum are kept outside the lock",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordSuccess(long nanos) {
                    super.recordSuccess(0);
                    addDuration(nanos);
                  }
                }),
        Fault.inTool(
            Rule.CONC_2,
            "the counters are shown only while nobody is recording",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private final AtomicInteger recording = new AtomicInteger();
                  private volatile Statistics shown = super.statistics();

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordSuccess(long nanos) {
                    recording.incrementAndGet();
                    super.recordSuccess(nanos);
                    recording.decrementAndGet();
                  }

                  @Override
                  synchronized Statistics statistics() {
                    if (recording.get() == 0) {
                      shown = super.statistics();
                    }
                    return shown;
                  }
                }),
        Fault.inClaims(Rule.CONC_3, "a subject that locks claims to be lock-free"));
  }
}

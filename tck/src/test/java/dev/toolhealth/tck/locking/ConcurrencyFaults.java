package dev.toolhealth.tck.locking;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.spec.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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
                    long sum = durationSum;
                    if (nanos % 100 == 0) {
                      Window.open();
                    }
                    durationSum = sum;
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
        Fault.inTool(
            Rule.CONC_1,
            "a state is put in place whatever is there by now",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  boolean swap(State before, State next) {
                    breaker.set(next);
                    return true;
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "who does not get to swap gives up",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  boolean swap(State before, State next) {
                    breaker.compareAndSet(before, next);
                    return true;
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "who does not get to swap has the probe as well",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  boolean swap(State before, State next) {
                    boolean swapped = super.swap(before, next);
                    return swapped || next.name() == CircuitState.HALF_OPEN;
                  }
                }),
        Fault.inTool(
            Rule.BRK_8,
            "after a lost probe two callers get the next",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  boolean swap(State before, State next) {
                    Window.open();
                    boolean swapped = super.swap(before, next);
                    return swapped
                        || (next.name() == CircuitState.HALF_OPEN
                            && before.name() == CircuitState.HALF_OPEN);
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "a success closes whatever is there by now",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  boolean swap(State before, State next) {
                    if (next.name() == CircuitState.CLOSED && next.failures() == 0) {
                      Window.open();
                      breaker.set(next);
                      return true;
                    }
                    return super.swap(before, next);
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "the oracle holds a state against a time at which another one was there",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  boolean isAvailable() {
                    State current = read();
                    long now = clock.getAsLong();
                    return current.name() == CircuitState.CLOSED
                        || mayProbe(seenAt(current, now), now);
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "a state read takes a probe for lost that was not there any more",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  CircuitState circuitState() {
                    State current = read();
                    return seenAt(current, clock.getAsLong()).name();
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "the run is counted beside the state",
            (config, clock) ->
                new SwappingTool(config, clock) {
                  private final AtomicLong run = new AtomicLong();

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordFailure(long nanos) {
                    run.incrementAndGet();
                    super.recordFailure(nanos);
                  }

                  @Override
                  State afterFailure(State current, long now) {
                    State next =
                        super.afterFailure(
                            new State(current.name(), run.get() - 1, current.time()), now);
                    return new State(next.name(), run.get(), next.time());
                  }

                  @Override
                  boolean swap(State before, State next) {
                    if (next.failures() == 0) {
                      run.set(0);
                    }
                    return super.swap(before, next);
                  }

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  long consecutiveFailures() {
                    return run.get();
                  }
                }),
        Fault.inTool(
            Rule.STALE_5,
            "the time of a failure is read before the lock is taken",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long read;

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordFailure(long nanos) {
                    long now = clock.getAsLong();
                    synchronized (this) {
                      read = now;
                      super.recordFailure(nanos);
                    }
                  }

                  @Override
                  void restartCooldown(long now) {
                    cooldownStart = read;
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "each thread has a run of its own",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private final Map<Thread, Long> runs = new HashMap<>();

                  @Override
                  boolean reachesThreshold() {
                    long run = runs.merge(Thread.currentThread(), 1L, Long::sum);
                    return config.failureThreshold() != 0 && run >= config.failureThreshold();
                  }

                  @Override
                  void open(long since) {
                    super.open(since);
                    runs.clear();
                  }

                  @Override
                  void close() {
                    super.close();
                    runs.clear();
                  }
                }),
        Fault.inTool(
            Rule.CONC_1,
            "a thread that was let through takes the breaker for closed until it records",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private final ThreadLocal<Boolean> passes = ThreadLocal.withInitial(() -> false);

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public boolean allowRequest() {
                    if (!passes.get()) {
                      boolean admitted = super.allowRequest();
                      passes.set(admitted && circuitState() == CircuitState.CLOSED);
                      return admitted;
                    }
                    return true;
                  }

                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    passes.set(false);
                  }

                  @Override
                  public synchronized void recordFailure(long nanos) {
                    super.recordFailure(nanos);
                    passes.set(false);
                  }
                }),
        Fault.inRegistry(
            Rule.CONC_2,
            "each thread has tools of its own",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  private final ThreadLocal<Map<String, LockingTool>> own =
                      ThreadLocal.withInitial(HashMap::new);

                  @Override
                  LockingTool findOrCreate(String tool) {
                    LockingTool found = own.get().computeIfAbsent(tool, name -> newTool());
                    tools.putIfAbsent(tool, found);
                    return found;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_2,
            "two callers that ask for a handle on a new name get two tools",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  public Handle handle(String tool) {
                    LockingTool known = tools.get(requireNonNull(tool, "tool"));
                    if (known == null) {
                      Window.open();
                      known = newTool();
                      tools.putIfAbsent(tool, known);
                    }
                    return known;
                  }
                }),
        Fault.inRegistry(
            Rule.REG_4,
            "a configuration is read number by number",
            (config, clock) ->
                new LockingRegistry(config, clock) {
                  @Override
                  LockingTool newTool() {
                    int threshold = config.failureThreshold();
                    Window.open();
                    long recovery = config.recoveryNanos();
                    return new LockingTool(
                        new Config(threshold, recovery, config.probeTimeoutNanos()), clock);
                  }
                }),
        Fault.inTool(
            Rule.CONC_2,
            "the maximum is compared and set outside the lock",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private volatile long longest;

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordSuccess(long nanos) {
                    keep(nanos);
                    super.recordSuccess(nanos);
                  }

                  @Override
                  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                  public void recordFailure(long nanos) {
                    keep(nanos);
                    super.recordFailure(nanos);
                  }

                  @SuppressWarnings("ThreadPriorityCheck")
                  private void keep(long nanos) {
                    if (nanos > longest) {
                      Thread.yield();
                      longest = nanos;
                    }
                  }

                  @Override
                  synchronized Statistics statistics() {
                    durationMax = longest;
                    return super.statistics();
                  }
                }),
        Fault.inClaims(Rule.CONC_3, "a subject that locks claims to be lock-free"));
  }
}

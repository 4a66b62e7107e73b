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

/** Faulty implementations that fail only under contention. */
final class ConcurrencyFaults {
  private ConcurrencyFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
                Rule.CONC_1,
                "Outcomes are applied to the breaker without holding the lock",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                      public void recordSuccess(long nanos) {
                        synchronized (this) {
                          countSuccess(nanos);
                        }
                        applySuccess();
                      }

                      @Override
                      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                      public void recordFailure(long nanos) {
                        synchronized (this) {
                          countFailure(nanos);
                        }
                        applyFailure();
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_2,
                "A success updates the success count without holding the lock",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                      public void recordSuccess(long nanos) {
                        long before = successes;
                        super.recordSuccess(nanos);
                        successes = before + 1;
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_2,
                "A failure updates the EWMA without holding the lock",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                      public void recordFailure(long nanos) {
                        long before = ewma;
                        super.recordFailure(nanos);
                        ewma = 7 * before / 10;
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_2,
                "A success updates the duration sum and the maximum without holding the lock",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_2,
                "The statistics are not refreshed while a success is being recorded",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "The next state is written without a CAS, so it overwrites newer states",
                (config, clock) ->
                    new SwappingTool(config, clock) {
                      @Override
                      boolean swap(State before, State next) {
                        breaker.set(next);
                        return true;
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "A failed CAS is not retried, so the update is lost",
                (config, clock) ->
                    new SwappingTool(config, clock) {
                      @Override
                      boolean swap(State before, State next) {
                        breaker.compareAndSet(before, next);
                        return true;
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.BRK_8,
                "A caller that loses the CAS for the probe is admitted as well",
                (config, clock) ->
                    new SwappingTool(config, clock) {
                      @Override
                      boolean swap(State before, State next) {
                        boolean swapped = super.swap(before, next);
                        return swapped || next.name() == CircuitState.HALF_OPEN;
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.BRK_8,
                "After an expired lease a caller that loses the CAS for the probe is admitted too",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "A success closes the breaker without a CAS, so it overwrites newer states",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "The oracle compares a state with a clock value read after that state was replaced",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "A read of the state can show a probe that has already ended as expired",
                (config, clock) ->
                    new SwappingTool(config, clock) {
                      @Override
                      @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                      CircuitState circuitState() {
                        State current = read();
                        return seenAt(current, clock.getAsLong()).name();
                      }
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "The consecutive failures are kept in a counter outside the swapped state",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
            Rule.STALE_5,
            "A failure reads the clock before it takes the lock, so the cooldown can move back",
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
                "Every thread counts its own consecutive failures",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_1,
                "A thread admitted while CLOSED is always admitted until it records an outcome",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      private final ThreadLocal<Boolean> passes =
                          ThreadLocal.withInitial(() -> false);

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
                    })
            .inRacesOnly(),
        Fault.inRegistry(
                Rule.CONC_2,
                "Every thread has tools of its own",
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
                    })
            .inRacesOnly(),
        Fault.inRegistry(
                Rule.REG_2,
                "Two callers that race for a handle on a new name can get two tools",
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
                    })
            .inRacesOnly(),
        Fault.inRegistry(
                Rule.REG_4,
                "A new tool reads its configuration field by field, so it can get a mixture",
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
                    })
            .inRacesOnly(),
        Fault.inTool(
                Rule.CONC_2,
                "The maximum is compared and set without holding the lock",
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
                    })
            .inRacesOnly(),
        Fault.inClaims(Rule.CONC_3, "An implementation that locks claims to be lock-free")
            .inRacesOnly());
  }
}

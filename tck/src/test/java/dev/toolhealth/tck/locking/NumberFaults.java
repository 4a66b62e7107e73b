package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.spec.Rule;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Faults of numbers that are too narrow, too coarse, or mean something else as well. */
final class NumberFaults {
  private NumberFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STAT_1,
            "only the last hundred outcomes are counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private final Deque<Boolean> last = new ArrayDeque<>();

                  @Override
                  void countSuccess(long nanos) {
                    super.countSuccess(nanos);
                    add(true);
                  }

                  @Override
                  void countFailure(long nanos) {
                    super.countFailure(nanos);
                    add(false);
                  }

                  private void add(boolean success) {
                    last.add(success);
                    if (last.size() > 100) {
                      if (last.remove()) {
                        successes--;
                      } else {
                        failures--;
                      }
                    }
                  }
                }),
        Fault.inTool(
            Rule.STAT_1,
            "successes are counted in a short",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private short counted;

                  @Override
                  void countSuccess(long nanos) {
                    super.countSuccess(nanos);
                    successes = ++counted;
                  }
                }),
        Fault.inTool(
            Rule.STAT_1,
            "a refused call counts as a failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean admit() {
                    boolean admitted = super.admit();
                    failures += admitted ? 0 : 1;
                    return admitted;
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "a sum that has wrapped once is mended, one that has wrapped twice is not",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    durationSum += Math.max(0, nanos);
                    durationMax = Math.max(durationMax, nanos);
                  }

                  @Override
                  synchronized Statistics statistics() {
                    Statistics s = super.statistics();
                    long sum = s.durationSumNanos() < 0 ? Long.MAX_VALUE : s.durationSumNanos();
                    return new Statistics(
                        s.successes(),
                        s.failures(),
                        s.total(),
                        s.successRate(),
                        sum,
                        s.total() == 0 ? 0 : sum / s.total(),
                        s.maxDurationNanos());
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "the sum is kept in floating point",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private double sum;

                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos);
                    sum += Math.max(0, nanos);
                    durationSum = (long) sum;
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "a sum that would wrap throws",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    durationSum = Math.addExact(durationSum, Math.max(0, nanos));
                    durationMax = Math.max(durationMax, nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_4,
            "the average is divided in floating point",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized Statistics statistics() {
                    Statistics s = super.statistics();
                    return new Statistics(
                        s.successes(),
                        s.failures(),
                        s.total(),
                        s.successRate(),
                        s.durationSumNanos(),
                        s.total() == 0 ? 0 : (long) ((double) s.durationSumNanos() / s.total()),
                        s.maxDurationNanos());
                  }
                }),
        Fault.inTool(
            Rule.STAT_4,
            "the average moves by a rounded part of each difference",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long average;

                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos);
                    average += (Math.max(0, nanos) - average) / total();
                  }

                  @Override
                  synchronized Statistics statistics() {
                    Statistics s = super.statistics();
                    return new Statistics(
                        s.successes(),
                        s.failures(),
                        s.total(),
                        s.successRate(),
                        s.durationSumNanos(),
                        average,
                        s.maxDurationNanos());
                  }
                }),
        Fault.inTool(
            Rule.STAT_5,
            "the trip resets the maximum",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void open(long since) {
                    durationMax = state == CircuitState.CLOSED ? 0 : durationMax;
                    super.open(since);
                  }
                }),
        Fault.inTool(
            Rule.STAT_5,
            "the largest duration is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    long before = durationMax;
                    super.addDuration(nanos);
                    durationMax = nanos == Long.MAX_VALUE ? before : durationMax;
                  }
                }),
        Fault.inTool(
            Rule.STAT_6,
            "the most negative duration counts as the largest",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos == Long.MIN_VALUE ? Long.MAX_VALUE : nanos);
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "the EWMA is kept in floating point",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private double exact = EWMA_ONE;

                  @Override
                  void addSample(long sample) {
                    exact = 0.7 * exact + 0.3 * sample;
                    ewma = (long) exact;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "the EWMA moves by a rounded part of the difference",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    ewma += 3 * (sample - ewma) / 10;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "an EWMA close to one becomes one",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    super.addSample(sample);
                    ewma = ewma > 999_990 ? EWMA_ONE : ewma;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "an EWMA close to zero becomes zero",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    super.addSample(sample);
                    ewma = ewma < 10 ? 0 : ewma;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "the status leaves room for a rounding",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() + 1e-9 >= tenths / 10.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "the status is classified in ints",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return 3_000_000 * (int) successes + 7 * (int) ewma * (int) total()
                        >= 1_000_000 * (int) (tenths * total());
                  }
                }),
        Fault.inTool(
            Rule.SCORE_6,
            "a tool whose calls take a second on average is degraded",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    HealthStatus status = super.status();
                    boolean slow = total() > 0 && durationSum / total() > 1_000_000_000;
                    return slow && status == HealthStatus.HEALTHY ? HealthStatus.DEGRADED : status;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_7,
            "the gate refuses when the EWMA is down at zero",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean admit() {
                    return super.admit() && (state != CircuitState.CLOSED || ewma > 0);
                  }
                }),
        timesKeptIn(40),
        timesKeptIn(48),
        timesKeptIn(56),
        Fault.inTool(
                Rule.BAD_2,
                "times give their two lowest bits to the state",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      void open(long since) {
                        super.open(since & ~3L);
                      }
                    })
            .orUnder(Rule.BRK_3, Rule.BRK_6, Rule.BRK_7),
        Fault.inTool(
            Rule.BAD_2,
            "times are instants on a calendar",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return !Instant.EPOCH
                        .plusNanos(now)
                        .isBefore(
                            Instant.EPOCH
                                .plusNanos(cooldownStartAt(now))
                                .plusNanos(config.recoveryNanos()));
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "the clock is held to the highest number that it has shown",
            (config, clock) -> {
              AtomicLong highest = new AtomicLong(Long.MIN_VALUE);
              return new LockingTool(
                  config, () -> highest.accumulateAndGet(clock.getAsLong(), Math::max));
            }),
        Fault.inTool(
                Rule.BAD_2,
                "times are compared in floating point",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      boolean cooldownElapsed(long now) {
                        return (double) now - cooldownStartAt(now) >= config.recoveryNanos();
                      }
                    })
            .orUnder(Rule.BRK_6, Rule.BRK_3),
        Fault.inTool(
                Rule.BAD_2,
                "times are seconds in floating point",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      boolean leaseElapsed(long now) {
                        return now / 1e9 - probeStart / 1e9 >= config.probeTimeoutNanos() / 1e9;
                      }
                    })
            .orUnder(Rule.LEASE_1, Rule.LEASE_5, Rule.BRK_7),
        Fault.inTool(
            Rule.BAD_2,
            "the age of a probe is milliseconds in an int",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return super.leaseElapsed(now) && (int) ((now - probeStart) / 1_000_000) >= 0;
                  }
                }),
        Fault.inTool(
                Rule.BAD_2,
                "the age of a cooldown is microseconds in an int",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      boolean cooldownElapsed(long now) {
                        return super.cooldownElapsed(now)
                            && (int) ((now - cooldownStartAt(now)) / 1_000) >= 0;
                      }
                    })
            .orUnder(Rule.BRK_7),
        Fault.inTool(
            Rule.BAD_2,
            "the end of a lease stops at the largest value",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  long leaseEnd() {
                    long end = super.leaseEnd();
                    return end < probeStart ? Long.MAX_VALUE : end;
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a cooldown that ends at time 0 is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean cooldownElapsed(long now) {
                    return super.cooldownElapsed(now)
                        || cooldownStartAt(now) + config.recoveryNanos() == 0;
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a lease that ends at time 0 is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return leaseEnd() != 0 && super.leaseElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a trip at time -1 is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void open(long since) {
                    super.open(since);
                    state = since == -1 ? CircuitState.CLOSED : state;
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a trip at the smallest time is taken for none",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void open(long since) {
                    super.open(since);
                    state = since == Long.MIN_VALUE ? CircuitState.CLOSED : state;
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "a failure while open keeps the later time by its order",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    cooldownStart = Math.max(cooldownStart, now);
                  }
                }));
  }

  private static Fault timesKeptIn(int bits) {
    int lost = Long.SIZE - bits;
    return Fault.inTool(
            Rule.BAD_2,
            "times are kept in " + bits + " bits",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void open(long since) {
                    super.open(since << lost >> lost);
                  }

                  @Override
                  void grantProbe(long now) {
                    super.grantProbe(now << lost >> lost);
                  }
                })
        .orUnder(Rule.BRK_6, Rule.BRK_7, Rule.BRK_3);
  }
}

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

/** Faulty arithmetic: numbers that are too narrow, too coarse, or double as a marker. */
final class NumberFaults {
  private NumberFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STAT_1,
            "Only the last hundred outcomes are counted",
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
            "Successes are counted in a short",
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
            "A refused call counts as a failure",
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
            "The duration sum saturates at its first overflow but not at its second",
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
            "The duration sum is kept in floating point",
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
            "An overflow of the duration sum throws an exception",
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
            "The average is divided in floating point",
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
            "The average is updated by a truncated share of each duration's difference",
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
            "The trip resets the maximum",
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
            "A duration of Long.MAX_VALUE does not count towards the maximum",
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
            "A duration of Long.MIN_VALUE counts as Long.MAX_VALUE",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos == Long.MIN_VALUE ? Long.MAX_VALUE : nanos);
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "The EWMA is kept in floating point",
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
            "The EWMA moves by a truncated share of the difference",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    ewma += 3 * (sample - ewma) / 10;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "An EWMA above 999990 becomes 1000000",
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
            "An EWMA below 10 becomes 0",
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
            "The status is classified in floating point with a tolerance of 1e-9",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() + 1e-9 >= tenths / 10.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "The status is classified in int arithmetic that overflows",
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
            "An average duration of more than 1 s makes a HEALTHY tool DEGRADED",
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
            "The gate refuses a CLOSED tool with an EWMA of 0",
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
                "The cooldown's start loses its two lowest bits",
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
            "Clock values are treated as calendar instants, which do not wrap",
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
            "A clock value below the highest so far is replaced by the highest",
            (config, clock) -> {
              AtomicLong highest = new AtomicLong(Long.MIN_VALUE);
              return new LockingTool(
                  config, () -> highest.accumulateAndGet(clock.getAsLong(), Math::max));
            }),
        Fault.inTool(
                Rule.BAD_2,
                "The elapsed cooldown is computed in floating point",
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
                "The age of a probe is computed in floating-point seconds",
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
            "The age of a probe is held as milliseconds in an int",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return super.leaseElapsed(now) && (int) ((now - probeStart) / 1_000_000) >= 0;
                  }
                }),
        Fault.inTool(
                Rule.BAD_2,
                "The age of a cooldown is held as microseconds in an int",
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
            "The lease's end saturates at Long.MAX_VALUE instead of wrapping",
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
            "A cooldown that should end at time 0 ends at once",
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
            "A lease that should end at time 0 never ends",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean leaseElapsed(long now) {
                    return leaseEnd() != 0 && super.leaseElapsed(now);
                  }
                }),
        Fault.inTool(
            Rule.BAD_2,
            "A trip at time -1 leaves the breaker CLOSED",
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
            "A trip at time Long.MIN_VALUE leaves the breaker CLOSED",
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
            "A failure while OPEN compares cooldown starts directly instead of by difference",
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
            "Times are truncated to " + bits + " bits",
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

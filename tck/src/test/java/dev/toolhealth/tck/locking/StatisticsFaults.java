package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faulty counters and durations. */
final class StatisticsFaults {
  private StatisticsFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STAT_1,
            "The success count stops at 4",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    if (successes == 5) {
                      successes--;
                    }
                  }
                }),
        Fault.inTool(
            Rule.STAT_1,
            "A failure also counts as a success",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordFailure(long nanos) {
                    super.recordFailure(nanos);
                    successes++;
                  }
                }),
        Fault.inTool(
            Rule.STAT_1,
            "A failure with duration 0 is not counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordFailure(long nanos) {
                    super.recordFailure(nanos);
                    failures -= nanos == 0 ? 1 : 0;
                  }
                }),
        Fault.inTool(
            Rule.STAT_2,
            "With no outcomes the success rate is 0 instead of 1",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  double successRate() {
                    return total() == 0 ? 0 : super.successRate();
                  }
                }),
        Fault.inTool(
            Rule.STAT_2,
            "The success rate is rounded to whole percents",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  double successRate() {
                    return Math.round(100 * super.successRate()) / 100.0;
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "The duration sum wraps instead of saturating",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    durationSum += Math.max(0, nanos);
                    durationMax = Math.max(durationMax, nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "The duration sum leaves out the durations of failures",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordFailure(long nanos) {
                    long before = durationSum;
                    super.recordFailure(nanos);
                    durationSum = before;
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "The duration sum is truncated to whole microseconds after every outcome",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos);
                    durationSum -= durationSum % 1_000;
                  }
                }),
        Fault.inTool(
            Rule.STAT_4,
            "The average is the sum divided by the successes instead of the total",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized Statistics statistics() {
                    Statistics s = super.statistics();
                    return withAverage(s, s.durationSumNanos() / Math.max(1, successes));
                  }
                }),
        Fault.inTool(
            Rule.STAT_4,
            "The average is rounded to the nearest nanosecond instead of down",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized Statistics statistics() {
                    Statistics s = super.statistics();
                    return withAverage(
                        s, Math.round((double) s.durationSumNanos() / Math.max(1, total())));
                  }
                }),
        Fault.inTool(
            Rule.STAT_5,
            "The durations of failures do not count towards the maximum",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordFailure(long nanos) {
                    long before = durationMax;
                    super.recordFailure(nanos);
                    durationMax = before;
                  }
                }),
        Fault.inTool(
            Rule.STAT_5,
            "Every outcome overwrites the maximum with its own duration",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos);
                    durationMax = Math.max(0, nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_6,
            "A negative duration lowers the duration sum",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    super.addDuration(nanos);
                    durationSum += Math.min(0, Math.max(nanos, -3));
                  }
                }),
        Fault.inTool(
            Rule.STAT_6,
            "A success with a negative duration is not counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    if (nanos >= 0) {
                      super.recordSuccess(nanos);
                    }
                  }
                }),
        Fault.inTool(
            Rule.STAT_6,
            "A negative duration throws an exception",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addDuration(long nanos) {
                    if (nanos < 0) {
                      throw new IllegalArgumentException("nanos is " + nanos);
                    }
                    super.addDuration(nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_7,
            "Successes while OPEN are not counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    successes -= state == CircuitState.OPEN ? 1 : 0;
                  }
                }),
        Fault.inTool(
            Rule.STAT_7,
            "Failures while OPEN are counted twice in the statistics",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void restartCooldown(long now) {
                    super.restartCooldown(now);
                    failures++;
                  }
                }),
        Fault.inTool(
            Rule.STAT_7,
            "A success while HALF_OPEN is recorded with duration 0",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(state == CircuitState.HALF_OPEN ? 0 : nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_7,
            "A failure after the probe's lease has expired is not counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordFailure(long nanos) {
                    boolean late = leaseExpired(clock.getAsLong());
                    super.recordFailure(nanos);
                    failures -= late ? 1 : 0;
                  }
                }));
  }

  private static Statistics withAverage(Statistics s, long average) {
    return new Statistics(
        s.successes(),
        s.failures(),
        s.total(),
        s.successRate(),
        s.durationSumNanos(),
        average,
        s.maxDurationNanos());
  }
}

package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faults in what is counted. */
final class StatisticsFaults {
  private StatisticsFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.STAT_1,
            "the fifth success is forgotten",
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
            "a failure is counted as a success as well",
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
            "a failure that took no time is not counted",
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
            "no outcomes are a success rate of zero",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  double successRate() {
                    return total() == 0 ? 0 : super.successRate();
                  }
                }),
        Fault.inTool(
            Rule.STAT_2,
            "the success rate is a whole number of percents",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  double successRate() {
                    return Math.round(100 * super.successRate()) / 100.0;
                  }
                }),
        Fault.inTool(
            Rule.STAT_3,
            "the sum wraps",
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
            "the durations of failed calls are not summed",
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
            "durations are summed in microseconds",
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
            "the average is over successes only",
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
            "the average is rounded to the nearest",
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
            "failed calls do not count for the maximum",
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
            "the maximum is the latest duration",
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
            "a negative duration lowers the sum",
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
            "the outcome of a negative duration is not counted",
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
            "a negative duration is refused",
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
            "successes while open are not counted",
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
            "failures while open are counted twice",
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
            "the duration of the probe's success is not counted",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(state == CircuitState.HALF_OPEN ? 0 : nanos);
                  }
                }),
        Fault.inTool(
            Rule.STAT_7,
            "a late outcome of the probe is not counted",
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

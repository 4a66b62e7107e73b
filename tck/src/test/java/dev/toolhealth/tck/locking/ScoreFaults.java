package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faults in the score and the status. */
final class ScoreFaults {
  private ScoreFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.SCORE_1,
            "a new tool has an EWMA of one half",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.ewma = LockingTool.EWMA_ONE / 2;
              return tool;
            }),
        Fault.inTool(
            Rule.SCORE_2,
            "the EWMA is rounded to the nearest",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    ewma = (7 * ewma + 3 * sample + 5) / 10;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "the first outcome sets the EWMA",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    if (total() == 1) {
                      ewma = sample;
                    } else {
                      super.addSample(sample);
                    }
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "outcomes while open do not move the EWMA",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    if (state != CircuitState.OPEN) {
                      super.addSample(sample);
                    }
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "the probe's success restores the EWMA",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void close() {
                    ewma = state == CircuitState.HALF_OPEN ? EWMA_ONE : ewma;
                    super.close();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_3,
            "rate and EWMA are weighed the other way round",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized double score() {
                    return 0.7 * successRate() + 0.3 * ((double) ewma / EWMA_ONE);
                  }
                }),
        Fault.inTool(
            Rule.SCORE_3,
            "the score is a whole number of percents",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized double score() {
                    return Math.round(100 * super.score()) / 100.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "the status is classified in floating point",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() >= tenths / 10.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "the bounds are exclusive",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() > tenths / 10.0 + 1e-12;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_5,
            "an expired probe is not unhealthy",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return state == CircuitState.HALF_OPEN && scoreIsAtLeast(5)
                        ? HealthStatus.DEGRADED
                        : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_5,
            "a live probe is unhealthy",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return state == CircuitState.HALF_OPEN
                        ? HealthStatus.UNHEALTHY
                        : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_5,
            "an open breaker is judged by its score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return state == CircuitState.OPEN && scoreIsAtLeast(5)
                        ? HealthStatus.DEGRADED
                        : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_5,
            "an open breaker that may be probed is judged by its score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return mayProbe(clock.getAsLong()) && scoreIsAtLeast(5)
                        ? HealthStatus.DEGRADED
                        : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_6,
            "a call of an hour is half a failure",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized void recordSuccess(long nanos) {
                    super.recordSuccess(nanos);
                    if (nanos > 1_000_000_000_000L) {
                      addSample(EWMA_ONE / 2);
                    }
                  }
                }),
        Fault.inTool(
            Rule.SCORE_6,
            "a slow tool is unhealthy",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return durationMax > 1_000_000_000 ? HealthStatus.UNHEALTHY : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_7,
            "the gate refuses a tool with a very bad score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized boolean allowRequest() {
                    return super.allowRequest() && (state != CircuitState.CLOSED || score() > 0.1);
                  }

                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable() && (state != CircuitState.CLOSED || score() > 0.1);
                  }
                }),
        Fault.inTool(
            Rule.SCORE_7,
            "the gate refuses an unhealthy tool",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  public synchronized boolean allowRequest() {
                    return super.allowRequest()
                        && (state != CircuitState.CLOSED || scoreIsAtLeast(5));
                  }

                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable()
                        && (state != CircuitState.CLOSED || scoreIsAtLeast(5));
                  }
                }));
  }
}

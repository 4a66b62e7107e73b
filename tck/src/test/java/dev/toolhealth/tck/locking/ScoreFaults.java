package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faulty EWMAs, scores and statuses. */
final class ScoreFaults {
  private ScoreFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.SCORE_1,
            "A new tool starts with an EWMA of 0.5",
            (config, clock) -> {
              LockingTool tool = new LockingTool(config, clock);
              tool.ewma = LockingTool.EWMA_ONE / 2;
              return tool;
            }),
        Fault.inTool(
            Rule.SCORE_2,
            "The EWMA is rounded to the nearest integer instead of down",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  void addSample(long sample) {
                    ewma = (7 * ewma + 3 * sample + 5) / 10;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_2,
            "The first outcome replaces the initial EWMA instead of moving it",
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
            "Outcomes while OPEN do not move the EWMA",
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
            "The probe's success resets the EWMA to 1.0",
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
            "The score swaps the weights of success rate and EWMA",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized double score() {
                    return 0.7 * successRate() + 0.3 * ((double) ewma / EWMA_ONE);
                  }
                }),
        Fault.inTool(
            Rule.SCORE_3,
            "The score is rounded to whole percents",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized double score() {
                    return Math.round(100 * super.score()) / 100.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "The status is classified in floating point instead of integers",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() >= tenths / 10.0;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_4,
            "The bounds of the status are exclusive",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  boolean scoreIsAtLeast(long tenths) {
                    return score() > tenths / 10.0 + 1e-12;
                  }
                }),
        Fault.inTool(
            Rule.SCORE_5,
            "An expired probe does not make the status UNHEALTHY",
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
            "A live probe makes the status UNHEALTHY",
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
            "While OPEN the status depends on the score",
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
            "After the cooldown has elapsed the status of an OPEN breaker depends on the score",
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
            "A success that takes more than 1000 s adds an EWMA sample of 0.5",
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
            "One call of more than 1 s makes the status UNHEALTHY",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized HealthStatus status() {
                    return durationMax > 1_000_000_000 ? HealthStatus.UNHEALTHY : super.status();
                  }
                }),
        Fault.inTool(
            Rule.SCORE_7,
            "Gate and oracle refuse a CLOSED tool with a score of at most 0.1",
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
            "Gate and oracle refuse a CLOSED tool with a score below 0.5",
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

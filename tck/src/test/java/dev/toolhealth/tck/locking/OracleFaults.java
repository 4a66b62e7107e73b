package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faults in the answers that must change nothing. */
final class OracleFaults {
  private OracleFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.ORACLE_1,
            "the oracle goes by the state's name alone",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return state == CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_1,
            "the oracle does not see that a lease has expired",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return state == CircuitState.CLOSED
                        || (state == CircuitState.OPEN && cooldownElapsed(clock.getAsLong()));
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_1,
            "the oracle is a nanosecond behind the gate",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return state == CircuitState.CLOSED || mayProbe(clock.getAsLong() - 1);
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_1,
            "the oracle keeps its answer until the next outcome",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private long asked = -1;
                  private boolean answer;

                  @Override
                  synchronized boolean isAvailable() {
                    answer = asked == total() ? answer : super.isAvailable();
                    asked = total();
                    return answer;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "the oracle takes the probe",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return allowRequest();
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "the hundredth question takes the probe",
            (config, clock) ->
                new LockingTool(config, clock) {
                  private int questions;

                  @Override
                  synchronized boolean isAvailable() {
                    return ++questions == 100 ? allowRequest() : super.isAvailable();
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "a read of an expired probe restarts the cooldown",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized CircuitState circuitState() {
                    if (leaseExpired(clock.getAsLong())) {
                      open(clock.getAsLong());
                    }
                    return super.circuitState();
                  }
                }),
        Fault.inTool(
                Rule.ORACLE_2,
                "asking for the score moves it",
                (config, clock) ->
                    new LockingTool(config, clock) {
                      @Override
                      synchronized double score() {
                        ewma -= ewma / 100;
                        return super.score();
                      }
                    })
            .orUnder(Rule.SCORE_3),
        Fault.inTool(
            Rule.ORACLE_3,
            "the oracle goes by the score",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable() && (state != CircuitState.CLOSED || score() > 0.1);
                  }
                }));
  }
}

package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** Faulty reads: they answer wrongly or change something. */
final class OracleFaults {
  private OracleFaults() {}

  static List<Fault> all() {
    return List.of(
        Fault.inTool(
            Rule.ORACLE_1,
            "The oracle answers true only while CLOSED",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return state == CircuitState.CLOSED;
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_1,
            "The oracle treats an expired probe as live",
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
            "The oracle answers true one nanosecond later than the gate",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return state == CircuitState.CLOSED || mayProbe(clock.getAsLong() - 1);
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_1,
            "The oracle caches its answer until the next outcome",
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
            "The oracle takes the probe",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return allowRequest();
                  }
                }),
        Fault.inTool(
            Rule.ORACLE_2,
            "The hundredth call of the oracle takes the probe",
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
            "Reading the state of an expired probe starts the cooldown anew",
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
                "Reading the score lowers the EWMA",
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
            "The oracle answers false for a CLOSED tool with a score of at most 0.1",
            (config, clock) ->
                new LockingTool(config, clock) {
                  @Override
                  synchronized boolean isAvailable() {
                    return super.isAvailable() && (state != CircuitState.CLOSED || score() > 0.1);
                  }
                }));
  }
}

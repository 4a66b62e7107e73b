package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LJ_Result;

@JCStressTest
@Description("BRK-3, BRK-4, STALE-1: a success comes in beside the failure that is to trip.")
@Outcome(
    id = "CLOSED, 1",
    expect = ACCEPTABLE,
    desc = "The success ends the run; the failure is the first of a new one.")
@Outcome(id = "OPEN, 3", expect = ACCEPTABLE, desc = "The failure trips; the success is stale.")
@Outcome(expect = FORBIDDEN, desc = "An outcome was lost, or state and run disagree.")
@State
public class SuccessAgainstTrippingFailure {
  private final Tool tool = Tool.failed(Tool.THRESHOLD - 1);

  @Actor
  public void success() {
    tool.recordSuccess(0);
  }

  @Actor
  public void failure() {
    tool.recordFailure(0);
  }

  @Arbiter
  public void afterwards(LJ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.consecutiveFailures();
  }
}

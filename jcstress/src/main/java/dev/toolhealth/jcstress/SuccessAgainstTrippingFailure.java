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
@Description(
    "BRK-3, BRK-4, STALE-1: a success arrives together with the failure that reaches the threshold.")
@Outcome(
    id = "CLOSED, 1",
    expect = ACCEPTABLE,
    desc = "The success ended the failure run, and the failure started a new run.")
@Outcome(
    id = "OPEN, 3",
    expect = ACCEPTABLE,
    desc = "The failure tripped the breaker, and the late success was ignored.")
@Outcome(
    expect = FORBIDDEN,
    desc = "An outcome was lost, or the state contradicts the failure run.")
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

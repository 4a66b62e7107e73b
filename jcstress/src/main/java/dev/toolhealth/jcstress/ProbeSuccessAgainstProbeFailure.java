package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LJZ_Result;

@JCStressTest
@Description(
    "BRK-9, BRK-10, STALE-1: the probe is live, and a success and a failure arrive together."
        + " The first outcome decides.")
@Outcome(
    id = "CLOSED, 1, true",
    expect = ACCEPTABLE,
    desc = "The success closed the breaker, and the failure started a new failure run.")
@Outcome(
    id = "OPEN, 4, false",
    expect = ACCEPTABLE,
    desc = "The failure started a new cooldown, and the late success was ignored.")
@Outcome(expect = FORBIDDEN, desc = "Both outcomes decided, or an outcome was lost.")
@State
public class ProbeSuccessAgainstProbeFailure {
  private final Tool tool = Tool.probed();

  @Actor
  public void success() {
    tool.recordSuccess(0);
  }

  @Actor
  public void failure() {
    tool.recordFailure(0);
  }

  @Arbiter
  public void afterwards(LJZ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.consecutiveFailures();
    r.r3 = tool.allowRequest();
  }
}

package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZL_Result;

@JCStressTest
@Description(
    "LEASE-2, LEASE-3: a probe never reported, its lease and the next cooldown have elapsed, and"
        + " two callers ask the gate. The state is then read in the new lease's last nanosecond.")
@Outcome(
    id = "true, false, HALF_OPEN",
    expect = ACCEPTABLE,
    desc = "The first caller got the new probe.")
@Outcome(
    id = "false, true, HALF_OPEN",
    expect = ACCEPTABLE,
    desc = "The second caller got the new probe.")
@Outcome(expect = FORBIDDEN, desc = "No probe was granted, or two, or one with the old lease.")
@State
public class TwoCallersAfterExpiredLease {
  private final Tool tool = Tool.withLostProbe();

  @Actor
  public void first(ZZL_Result r) {
    r.r1 = tool.allowRequest();
  }

  @Actor
  public void second(ZZL_Result r) {
    r.r2 = tool.allowRequest();
  }

  @Arbiter
  public void afterwards(ZZL_Result r) {
    tool.pass(Tool.LEASE - 1);
    r.r3 = tool.circuitState();
  }
}

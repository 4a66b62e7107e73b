package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.toolhealth.tck.Permit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LJJ_Result;

@JCStressTest
@Description(
    "PERMIT-2: the first probe's lease has expired. It succeeds late, while the second probe"
        + " fails.")
@Outcome(id = "OPEN, 1, 4", expect = ACCEPTABLE, desc = "The second probe alone decided.")
@Outcome(expect = FORBIDDEN, desc = "The first probe decided, or a result was lost.")
@State
public class TwoProbesToDecide {
  private final Tool tool = Tool.cooledDown();
  private final Permit first = tool.tryAcquire();
  private final Permit second = tool.afterLostProbe().tryAcquire();

  @Actor
  public void firstSucceeds() {
    first.success(0);
  }

  @Actor
  public void secondFails() {
    second.failure(0);
  }

  @Arbiter
  public void afterwards(LJJ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.statistics().successes();
    r.r3 = tool.statistics().failures();
  }
}

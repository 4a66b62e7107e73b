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
@Description("PERMIT-5: a probe and its watchdog report on the same permit.")
@Outcome(id = "CLOSED, 1, 3", expect = ACCEPTABLE, desc = "The success came first.")
@Outcome(id = "OPEN, 0, 4", expect = ACCEPTABLE, desc = "The failure came first.")
@Outcome(expect = FORBIDDEN, desc = "Both reports took effect, or neither did.")
@State
public class TwoReportsOfOnePermit {
  private final Tool tool = Tool.cooledDown();
  private final Permit probe = tool.tryAcquire();

  @Actor
  public void success() {
    probe.success(0);
  }

  @Actor
  public void failure() {
    probe.failure(0);
  }

  @Arbiter
  public void afterwards(LJJ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.statistics().successes();
    r.r3 = tool.statistics().failures();
  }
}

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
import org.openjdk.jcstress.infra.results.LJZ_Result;

@JCStressTest
@Description(
    "PERMIT-4, PERMIT-5: the probe's permit reports a success while it is being cancelled.")
@Outcome(id = "CLOSED, 1, true", expect = ACCEPTABLE, desc = "The success came first.")
@Outcome(
    id = "OPEN, 0, true",
    expect = ACCEPTABLE,
    desc = "The cancellation came first, so the next caller is granted the probe.")
@Outcome(expect = FORBIDDEN, desc = "Both reports took effect, or the probe slot was lost.")
@State
public class CancelAgainstReport {
  private final Tool tool = Tool.cooledDown();
  private final Permit probe = tool.tryAcquire();

  @Actor
  public void success() {
    probe.success(0);
  }

  @Actor
  public void cancel() {
    probe.cancel();
  }

  @Arbiter
  public void afterwards(LJZ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.statistics().successes();
    r.r3 = tool.allowRequest();
  }
}

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
@Description("PERMIT-2: a call from before the trip succeeds while the probe fails.")
@Outcome(
    id = "OPEN, 1, 4",
    expect = ACCEPTABLE,
    desc = "The probe alone decided, and the statistics count both results.")
@Outcome(expect = FORBIDDEN, desc = "The stale success decided, or a result was lost.")
@State
public class StaleSuccessAgainstProbeFailure {
  private final Tool tool = Tool.unseen();
  private final Permit stale = tool.tryAcquire();
  private final Permit probe = tool.tripped().tryAcquire();

  @Actor
  public void staleSuccess() {
    stale.success(0);
  }

  @Actor
  public void probeFailure() {
    probe.failure(0);
  }

  @Arbiter
  public void afterwards(LJJ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.statistics().successes();
    r.r3 = tool.statistics().failures();
  }
}

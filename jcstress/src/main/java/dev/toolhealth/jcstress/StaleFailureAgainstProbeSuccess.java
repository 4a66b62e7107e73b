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
    "PERMIT-2, PERMIT-3: a call from before the trip fails while the probe succeeds. A failure"
        + " that arrives first does not decide, and one that arrives last starts no failure run.")
@Outcome(id = "CLOSED, 0, 4", expect = ACCEPTABLE, desc = "The probe alone decided.")
@Outcome(expect = FORBIDDEN, desc = "The stale failure changed the breaker, or a result was lost.")
@State
public class StaleFailureAgainstProbeSuccess {
  private final Tool tool = Tool.unseen();
  private final Permit stale = tool.tryAcquire();
  private final Permit probe = tool.tripped().tryAcquire();

  @Actor
  public void staleFailure() {
    stale.failure(0);
  }

  @Actor
  public void probeSuccess() {
    probe.success(0);
  }

  @Arbiter
  public void afterwards(LJJ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.consecutiveFailures();
    r.r3 = tool.statistics().failures();
  }
}

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
@Description("BRK-2, BRK-3: two failures come in where the second is to trip.")
@Outcome(id = "OPEN, 3", expect = ACCEPTABLE, desc = "Both are counted, and the breaker is open.")
@Outcome(expect = FORBIDDEN, desc = "A failure was lost.")
@State
public class TwoFailuresToTheTrip {
  private final Tool tool = Tool.failed(Tool.THRESHOLD - 2);

  @Actor
  public void first() {
    tool.recordFailure(0);
  }

  @Actor
  public void second() {
    tool.recordFailure(0);
  }

  @Arbiter
  public void afterwards(LJ_Result r) {
    r.r1 = tool.circuitState();
    r.r2 = tool.consecutiveFailures();
  }
}

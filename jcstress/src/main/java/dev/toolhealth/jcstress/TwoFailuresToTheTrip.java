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
@Description("BRK-2, BRK-3: two failures arrive together, and the second reaches the threshold.")
@Outcome(
    id = "OPEN, 3",
    expect = ACCEPTABLE,
    desc = "Both failures count, and the breaker tripped.")
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

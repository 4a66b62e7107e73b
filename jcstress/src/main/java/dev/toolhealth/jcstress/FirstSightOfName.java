package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

@JCStressTest
@Description("REG-2: two threads record a failure of the same unknown tool.")
@Outcome(
    id = "1, 2, 2",
    expect = ACCEPTABLE,
    desc = "One tool was created, and both failures count.")
@Outcome(expect = FORBIDDEN, desc = "Two tools were created, and a failure was lost with one.")
@State
public class FirstSightOfName {
  private final Tool tool = Tool.unseen();

  @Actor
  public void first() {
    tool.recordFailure(0);
  }

  @Actor
  public void second() {
    tool.recordFailure(0);
  }

  @Arbiter
  public void afterwards(JJJ_Result r) {
    r.r1 = tool.toolCount();
    r.r2 = tool.statistics().failures();
    r.r3 = tool.consecutiveFailures();
  }
}

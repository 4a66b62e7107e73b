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
@Description("BRK-1, BRK-3, BRK-6: a caller asks the gate twice while a failure trips the breaker.")
@Outcome(id = "true, true, OPEN", expect = ACCEPTABLE, desc = "Both requests came before the trip.")
@Outcome(
    id = "true, false, OPEN",
    expect = ACCEPTABLE,
    desc = "The trip came between the two requests.")
@Outcome(
    id = "false, false, OPEN",
    expect = ACCEPTABLE,
    desc = "Both requests came after the trip.")
@Outcome(
    expect = FORBIDDEN,
    desc = "The trip was undone, or a probe was granted before the cooldown elapsed.")
@State
public class GateBesideTrippingFailure {
  private final Tool tool = Tool.failed(Tool.THRESHOLD - 1);

  @Actor
  public void failure() {
    tool.recordFailure(0);
  }

  @Actor
  public void caller(ZZL_Result r) {
    r.r1 = tool.allowRequest();
    r.r2 = tool.allowRequest();
  }

  @Arbiter
  public void afterwards(ZZL_Result r) {
    r.r3 = tool.circuitState();
  }
}

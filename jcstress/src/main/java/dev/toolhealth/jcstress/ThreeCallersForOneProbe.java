package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

@JCStressTest
@Description("BRK-7, BRK-8: the cooldown has elapsed, and three callers ask the gate.")
@Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The first caller got the probe.")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "The second caller got the probe.")
@Outcome(id = "false, false, true", expect = ACCEPTABLE, desc = "The third caller got the probe.")
@Outcome(expect = FORBIDDEN, desc = "No probe was granted, or more than one.")
@State
public class ThreeCallersForOneProbe {
  private final Tool tool = Tool.cooledDown();

  @Actor
  public void first(ZZZ_Result r) {
    r.r1 = tool.allowRequest();
  }

  @Actor
  public void second(ZZZ_Result r) {
    r.r2 = tool.allowRequest();
  }

  @Actor
  public void third(ZZZ_Result r) {
    r.r3 = tool.allowRequest();
  }
}

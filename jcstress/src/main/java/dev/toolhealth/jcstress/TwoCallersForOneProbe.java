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
@Description("BRK-7, BRK-8: the cooldown has elapsed, and two callers ask the gate.")
@Outcome(
    id = "true, false, HALF_OPEN",
    expect = ACCEPTABLE,
    desc = "The first caller got the probe.")
@Outcome(
    id = "false, true, HALF_OPEN",
    expect = ACCEPTABLE,
    desc = "The second caller got the probe.")
@Outcome(expect = FORBIDDEN, desc = "No probe was granted, or two.")
@State
public class TwoCallersForOneProbe {
  private final Tool tool = Tool.cooledDown();

  @Actor
  public void first(ZZL_Result r) {
    r.r1 = tool.allowRequest();
  }

  @Actor
  public void second(ZZL_Result r) {
    r.r2 = tool.allowRequest();
  }

  @Arbiter
  public void afterwards(ZZL_Result r) {
    r.r3 = tool.circuitState();
  }
}

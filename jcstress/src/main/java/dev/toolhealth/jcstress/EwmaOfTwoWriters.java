package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

@JCStressTest
@Description(
    "SCORE-2, CONC-2: after one failure, a success and a failure update the EWMA together.")
@Outcome(id = "553000", expect = ACCEPTABLE, desc = "The success was applied before the failure.")
@Outcome(id = "643000", expect = ACCEPTABLE, desc = "The failure was applied before the success.")
@Outcome(expect = FORBIDDEN, desc = "An outcome is missing from the EWMA.")
@State
public class EwmaOfTwoWriters {
  private final Tool tool = Tool.failed(1);

  @Actor
  public void success() {
    tool.recordSuccess(0);
  }

  @Actor
  public void failure() {
    tool.recordFailure(0);
  }

  @Arbiter
  public void afterwards(J_Result r) {
    r.r1 = tool.ewma();
  }
}

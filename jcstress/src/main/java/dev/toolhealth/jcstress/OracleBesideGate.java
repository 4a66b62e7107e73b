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
@Description(
    "ORACLE-1, ORACLE-2: the cooldown has elapsed; one caller asks the gate, the other the oracle.")
@Outcome(
    id = "true, true, HALF_OPEN",
    expect = ACCEPTABLE,
    desc = "The oracle answered before the gate granted the probe.")
@Outcome(
    id = "true, false, HALF_OPEN",
    expect = ACCEPTABLE,
    desc = "The gate granted the probe before the oracle answered.")
@Outcome(expect = FORBIDDEN, desc = "The oracle took the probe or changed the state.")
@State
public class OracleBesideGate {
  private final Tool tool = Tool.cooledDown();

  @Actor
  public void gate(ZZL_Result r) {
    r.r1 = tool.allowRequest();
  }

  @Actor
  public void oracle(ZZL_Result r) {
    r.r2 = tool.isToolAvailable();
  }

  @Arbiter
  public void afterwards(ZZL_Result r) {
    r.r3 = tool.circuitState();
  }
}

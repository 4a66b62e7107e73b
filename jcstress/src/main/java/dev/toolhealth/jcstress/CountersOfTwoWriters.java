package dev.toolhealth.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.toolhealth.tck.Statistics;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJJ_Result;

@JCStressTest
@Description("STAT-1, STAT-3, STAT-5, CONC-2: two threads each record a success and a failure.")
@Outcome(
    id = "2, 2, 15, 8",
    expect = ACCEPTABLE,
    desc = "Successes, failures, sum and maximum are exact.")
@Outcome(expect = FORBIDDEN, desc = "An outcome was lost.")
@State
public class CountersOfTwoWriters {
  private final Tool tool = Tool.unseen();

  @Actor
  public void first() {
    tool.recordSuccess(1);
    tool.recordFailure(8);
  }

  @Actor
  public void second() {
    tool.recordSuccess(2);
    tool.recordFailure(4);
  }

  @Arbiter
  public void afterwards(JJJJ_Result r) {
    Statistics statistics = tool.statistics();
    r.r1 = statistics.successes();
    r.r2 = statistics.failures();
    r.r3 = statistics.durationSumNanos();
    r.r4 = statistics.maxDurationNanos();
  }
}

package dev.toolhealth.jmh;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Threads;

/** Complete guarded calls of a tool, with clock reads. {@link Body} is the tool alone. */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
@Threads(1)
public class Calls extends SubjectTiming {
  private Handle healthy;

  /** Creates the tool. */
  @Setup
  public void createTool() {
    healthy = tool(Config.DEFAULT);
  }

  @Benchmark
  public boolean call(Body.Work work, Operations.Answers answers) {
    boolean allowed = answers.expect(true, healthy.allowRequest());
    if (allowed) {
      long start = System.nanoTime();
      work.run();
      healthy.recordSuccess(System.nanoTime() - start);
    }
    return allowed;
  }
}

package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.ThreadParams;

/** A thousand tools in one registry, called in a random order that defeats the caches. */
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class ManyTools extends SubjectTiming {
  private static final int TOOLS = 1_000;

  private Handle[] tools;

  /** Creates the tools. */
  @Setup
  public void createTools() {
    Adapter adapter = adapter();
    Subject registry = create(adapter, Config.DEFAULT);
    tools =
        IntStream.range(0, TOOLS)
            .mapToObj(i -> access.to(adapter, registry, name + i))
            .toArray(Handle[]::new);
  }

  /** Measures the gate and the success of a call to a random tool. */
  @Benchmark
  public boolean allowAndRecordOneOfMany(Dice dice, Operations.Answers answers) {
    Handle tool = tools[dice.roll(TOOLS)];
    boolean allowed = answers.expect(true, tool.allowRequest());
    if (allowed) {
      tool.recordSuccess(nanos);
    }
    return allowed;
  }

  /** A thread's own pseudo-random sequence, the same in every run: Marsaglia's xorshift. */
  @State(Scope.Thread)
  public static class Dice {
    private int last;

    /** Starts the sequence. */
    @Setup
    public void start(ThreadParams thread) {
      last = 0x9E3779B9 * (thread.getThreadIndex() + 1);
    }

    int roll(int sides) {
      int next = last;
      next ^= next << 13;
      next ^= next >>> 17;
      next ^= next << 5;
      last = next;
      return (int) (((next & 0xFFFF_FFFFL) * sides) >>> 32);
    }
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends ManyTools {}

  /** Two threads that rarely use the same tool at once. */
  @Threads(2)
  public static class Shared extends ManyTools {}
}

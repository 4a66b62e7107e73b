package dev.toolhealth.jmh;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Names that were never seen before, as a model makes them up, all in one registry. */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xms3g", "-Xmx3g"})
@Warmup(iterations = 2)
@Measurement(iterations = 2)
@State(Scope.Benchmark)
@Threads(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class FirstSight {
  /** The heap that a million tools fit into, whichever the subject. */
  static final String[] HEAP = {"-Xms3g", "-Xmx3g"};

  /** The adapter's class. */
  @Param({
    "dev.toolhealth.tck.reference.ReferenceAdapter",
    "dev.toolhealth.tck.locking.LockingAdapter"
  })
  public String subject;

  /** How many names there are. */
  @Param("1000000")
  public int tools;

  private String[] names;
  private Subject registry;

  /** Makes the names up. */
  @Setup
  public void inventNames() {
    names = IntStream.range(0, tools).mapToObj(i -> "tool-" + i).toArray(String[]::new);
  }

  /** Takes a registry without tools. */
  @Setup(Level.Iteration)
  public void createRegistry() {
    registry = Footprint.registry(subject, Config.DEFAULT);
  }

  /** Asks the gate for every name, once. */
  @Benchmark
  public Subject firstSights() {
    for (String name : names) {
      registry.allowRequest(name);
    }
    return registry;
  }

  /** The same, and how much of the heap is taken afterwards that was free before. */
  @Benchmark
  public Subject firstSightsWeighed(Weight weight) {
    long before = Weight.used();
    firstSights();
    weight.bytesPerTool = (Weight.used() - before) / tools;
    return registry;
  }

  /** The bytes of the heap, as they are after a full collection. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Weight {
    /** What each of the tools takes, its place in the map included, its name not. */
    public long bytesPerTool;

    static long used() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return runtime.totalMemory() - runtime.freeMemory();
    }
  }
}

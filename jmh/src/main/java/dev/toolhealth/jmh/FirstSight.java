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

/** First calls of unknown tools in a single registry, as if a model made up the names. */
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
  /** A heap that holds a million tools of any subject. */
  static final String[] HEAP = {"-Xms3g", "-Xmx3g"};

  /** The class name of the adapter. */
  @Param({
    "dev.toolhealth.tck.reference.ReferenceAdapter",
    "dev.toolhealth.tck.locking.LockingAdapter"
  })
  public String subject;

  /** The number of names. */
  @Param("1000000")
  public int tools;

  private String[] names;
  private Subject registry;

  /** Creates the names. */
  @Setup
  public void inventNames() {
    names = IntStream.range(0, tools).mapToObj(i -> "tool-" + i).toArray(String[]::new);
  }

  /** Creates an empty registry. */
  @Setup(Level.Iteration)
  public void createRegistry() {
    registry = Footprint.registry(subject, Config.DEFAULT);
  }

  /** Asks the gate once for every name. */
  @Benchmark
  public Subject firstSights() {
    for (String name : names) {
      registry.allowRequest(name);
    }
    return registry;
  }

  /** Asks the gate once for every name, and measures the growth of the heap. */
  @Benchmark
  public Subject firstSightsWeighed(Weight weight) {
    long before = Weight.used();
    firstSights();
    weight.bytesPerTool = (Weight.used() - before) / tools;
    return registry;
  }

  /** The heap in use after a full collection. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Weight {
    /** The bytes of each tool, including the map entry but not the name. */
    public long bytesPerTool;

    static long used() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      return runtime.totalMemory() - runtime.freeMemory();
    }
  }
}

package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jol.info.GraphStats;

/**
 * The number of bytes that a tool takes. JOL adds up all objects reachable from a registry, before
 * and after a tool is added; the difference is the size of the tool. JMH only runs this benchmark
 * and stores the counts. Its time means nothing.
 */
@BenchmarkMode(Mode.SingleShotTime)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@State(Scope.Benchmark)
@Threads(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public class Footprint {
  static {
    // Without these properties JOL cannot read records and lambdas, and tries for seconds to
    // attach.
    System.setProperty("jol.magicFieldOffset", "true");
    System.setProperty("jol.skipHotspotSAAttach", "true");
    System.setProperty("jol.skipDynamicAttach", "true");
  }

  /** So few that the map's table does not grow for another tool. */
  private static final int NEIGHBOURS = 5;

  private static final int THREADS = 4;
  private static final int ROUNDS = 200_000;

  /** The class name of the adapter. */
  @Param({
    "dev.toolhealth.tck.reference.ReferenceAdapter",
    "dev.toolhealth.tck.locking.LockingAdapter"
  })
  public String subject;

  /** Measures the size of a tool in three configurations. */
  @Benchmark
  public void weigh(Bytes bytes) throws InterruptedException {
    bytes.idle = idle(registry(subject, Config.DEFAULT));
    bytes.idleOfHundred = idle(registry(subject, new Config(100, 0, 0)));
    bytes.contended = contended(registry(subject, new Config(0, 0, 0)));
  }

  static Subject registry(String subject, Config config) {
    return SubjectTiming.create(Adapters.load(subject, Footprint.class.getClassLoader()), config);
  }

  /** Returns the size of a tool after a call, including the map entry but not the name. */
  static long idle(Subject registry) {
    for (int i = 0; i < NEIGHBOURS; i++) {
      callOnce(registry, "neighbour-" + i);
    }
    long before = reachable(registry);
    String name = "idle";
    callOnce(registry, name);
    return reachable(registry) - before - reachable(name);
  }

  /** Returns the size of the tool after several threads have recorded outcomes at once. */
  static long contended(Subject registry) throws InterruptedException {
    String name = "contended";
    long idle = idle(registry);
    callOnce(registry, name);
    long before = reachable(registry);
    CyclicBarrier start = new CyclicBarrier(THREADS);
    Thread[] threads =
        Stream.generate(() -> new Thread(() -> fight(registry, name, start)))
            .limit(THREADS)
            .toArray(Thread[]::new);
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return idle + reachable(registry) - before;
  }

  private static void callOnce(Subject registry, String name) {
    registry.allowRequest(name);
    registry.recordSuccess(name, 1);
  }

  private static void fight(Subject registry, String name, CyclicBarrier start) {
    try {
      start.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("unexpected interrupt", e);
    }
    for (int i = 0; i < ROUNDS; i++) {
      if (i % 10 == 0) {
        registry.recordFailure(name, 1);
      } else {
        registry.recordSuccess(name, 1);
      }
    }
  }

  private static long reachable(Object root) {
    return GraphStats.parseInstance(root).totalSize();
  }

  /** The measured sizes. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Bytes {
    /** An idle tool of the default configuration. */
    public long idle;

    /** An idle tool that trips after a hundred failures. */
    public long idleOfHundred;

    /** A tool after several threads have recorded outcomes at once. */
    public long contended;
  }
}

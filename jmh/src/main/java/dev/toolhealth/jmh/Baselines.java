package dev.toolhealth.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/** The steps that an operation on a tool is made of, each by itself. */
public abstract class Baselines extends Timing {
  private static final VarHandle REFERENCE;

  static {
    try {
      REFERENCE = MethodHandles.lookup().findVarHandle(Baselines.class, "reference", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Created together, as a tool's counters are: most likely they share a cache line.
  private final AtomicLong first = new AtomicLong();
  private final AtomicLong second = new AtomicLong();

  private final LongAdder firstAdder = new LongAdder();
  private final LongAdder secondAdder = new LongAdder();

  private final Map<String, Object> tools = new ConcurrentHashMap<>(Map.of(name, new Object()));

  @SuppressWarnings("UnusedVariable") // reached through REFERENCE
  private volatile Object reference = new Object();

  /** What JMH's loop costs. */
  @Benchmark
  public void emptyCall() {}

  @Benchmark
  public long atomicAdd() {
    return first.getAndIncrement();
  }

  /** The least that can keep a count and a sum exact: {@link Main} relates all else to it. */
  @Benchmark
  public long twoAtomicAdds() {
    return first.getAndIncrement() + second.getAndAdd(nanos);
  }

  @Benchmark
  public void longAdderPair() {
    firstAdder.increment();
    secondAdder.add(nanos);
  }

  @Benchmark
  public @Nullable Object mapLookup() {
    return tools.get(name);
  }

  @Benchmark
  public long clockRead() {
    return System.nanoTime();
  }

  @Benchmark
  public Object acquireRead() {
    return REFERENCE.getAcquire(this);
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends Baselines {}

  /** Two threads that share the counters and the map. */
  @Threads(2)
  public static class Shared extends Baselines {}
}

package dev.toolhealth.jmh;

import dev.toolhealth.tck.Handle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/** The building blocks of an operation on a tool, each measured alone. */
public abstract class Baselines extends Timing {
  private static final VarHandle REFERENCE;

  static {
    try {
      REFERENCE = MethodHandles.lookup().findVarHandle(Least.class, "reference", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Allocated together, like a tool's counters, so they most likely share a cache line.
  private final AtomicLong first = new AtomicLong();
  private final AtomicLong second = new AtomicLong();

  private final LongAdder firstAdder = new LongAdder();
  private final LongAdder secondAdder = new LongAdder();

  private final Map<String, Object> tools = new ConcurrentHashMap<>(Map.of(name, new Object()));

  private final Least least = new Least();
  private final Handle handle = new LeastHandle(least);

  /** Measures JMH's own loop. */
  @Benchmark
  public void emptyCall() {}

  @Benchmark
  public long atomicAdd() {
    return first.getAndIncrement();
  }

  /** Measures the plain way to keep a count and a sum exact. */
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
  public boolean acquireRead() {
    return least.allowRequest();
  }

  /** Measures the same read through an adapter's handle, as for a subject's gate. */
  @Benchmark
  public boolean acquireReadByHandle(Operations.Answers answers) {
    return answers.expect(true, handle.allowRequest());
  }

  /** The cheapest possible gate: one acquire read and one comparison. */
  private static final class Least {
    @SuppressWarnings("UnusedVariable") // reached through REFERENCE
    private volatile Object reference = this;

    boolean allowRequest() {
      return REFERENCE.getAcquire(this) == this;
    }
  }

  private record LeastHandle(Least least) implements Handle {
    @Override
    public boolean allowRequest() {
      return least.allowRequest();
    }

    @Override
    public void recordSuccess(long nanos) {}

    @Override
    public void recordFailure(long nanos) {}
  }

  /** One thread. */
  @Threads(1)
  public static class Alone extends Baselines {}

  /** Two threads that share the counters and the map. */
  @Threads(2)
  public static class Shared extends Baselines {}
}

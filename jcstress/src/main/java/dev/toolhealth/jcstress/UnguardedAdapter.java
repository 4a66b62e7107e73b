package dev.toolhealth.jcstress;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A deliberately faulty subject: correct for one thread, and unguarded against a second thread.
 * Every operation checks and then acts, reads and then writes. The subject must fail every race.
 */
public final class UnguardedAdapter implements Adapter {

  /** Creates the adapter. */
  public UnguardedAdapter() {}

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(
        Capability.MANUAL_CLOCK,
        Capability.ORACLE,
        Capability.CIRCUIT_STATE,
        Capability.CONSECUTIVE_FAILURES,
        Capability.STATISTICS,
        Capability.SCORE,
        Capability.SUMMARY,
        Capability.PERMITS);
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return new UnguardedSubject(config, nanoClock);
  }

  private static final class UnguardedSubject implements Subject {
    private final Config config;
    private final LongSupplier clock;
    private final Map<String, UnguardedTool> tools = new ConcurrentHashMap<>();

    UnguardedSubject(Config config, LongSupplier clock) {
      this.config = config;
      this.clock = clock;
    }

    private UnguardedTool tool(String name) {
      UnguardedTool tool = tools.get(name);
      if (tool == null) {
        tool = new UnguardedTool(config);
        letOthersIn();
        tools.put(name, tool);
      }
      return tool;
    }

    @Override
    public boolean allowRequest(String tool) {
      return tool(tool).allowRequest(clock.getAsLong());
    }

    @Override
    public void recordSuccess(String tool, long nanos) {
      tool(tool).recordSuccess(nanos, clock.getAsLong(), null);
    }

    @Override
    public void recordFailure(String tool, long nanos) {
      tool(tool).recordFailure(nanos, clock.getAsLong(), null);
    }

    @Override
    public Permit tryAcquire(String tool) {
      UnguardedTool t = tool(tool);
      UnguardedPermit permit = new UnguardedPermit(t, clock);
      permit.granted = t.admit(clock.getAsLong(), permit);
      return permit;
    }

    @Override
    public boolean isToolAvailable(String tool) {
      return tool(tool).isAvailable(clock.getAsLong());
    }

    @Override
    public CircuitState circuitState(String tool) {
      return tool(tool).read(clock.getAsLong()).state();
    }

    @Override
    public long consecutiveFailures(String tool) {
      return tool(tool).figures.consecutiveFailures();
    }

    @Override
    public Statistics statistics(String tool) {
      Figures f = tool(tool).figures;
      long total = f.successes() + f.failures();
      return new Statistics(
          f.successes(), f.failures(), total, 0, f.durationSum(), 0, f.maxDuration());
    }

    @Override
    public long ewma(String tool) {
      return tool(tool).figures.ewma();
    }

    @Override
    public long toolCount() {
      return tools.size();
    }
  }

  /** A tool's complete state, as a value. Writing a value back undoes every concurrent write. */
  private record Figures(
      CircuitState state,
      long since,
      @Nullable UnguardedPermit probe,
      long consecutiveFailures,
      long successes,
      long failures,
      long durationSum,
      long maxDuration,
      long ewma) {

    Figures enter(CircuitState newState, long start, long newFailures) {
      return new Figures(
          newState, start, null, newFailures, successes, failures, durationSum, maxDuration, ewma);
    }

    Figures probedBy(@Nullable UnguardedPermit permit) {
      return new Figures(
          state,
          since,
          permit,
          consecutiveFailures,
          successes,
          failures,
          durationSum,
          maxDuration,
          ewma);
    }

    Figures count(boolean success, long nanos) {
      return new Figures(
          state,
          since,
          probe,
          consecutiveFailures,
          successes + (success ? 1 : 0),
          failures + (success ? 0 : 1),
          durationSum + nanos,
          Math.max(maxDuration, nanos),
          (7 * ewma + (success ? 3_000_000 : 0)) / 10);
    }
  }

  private static final class UnguardedTool {
    private final Config config;
    private volatile Figures figures =
        new Figures(CircuitState.CLOSED, 0, null, 0, 0, 0, 0, 0, 1_000_000);

    UnguardedTool(Config config) {
      this.config = config;
    }

    boolean allowRequest(long now) {
      return admit(now, null);
    }

    boolean admit(long now, @Nullable UnguardedPermit permit) {
      Figures read = read(now);
      boolean elapsed =
          read.state() == CircuitState.OPEN && now - read.since() >= config.recoveryNanos();
      write(
          elapsed
              ? read.enter(CircuitState.HALF_OPEN, now, read.consecutiveFailures()).probedBy(permit)
              : read);
      return elapsed || read.state() == CircuitState.CLOSED;
    }

    /** Asks the gate, and then undoes the gate's change. */
    boolean isAvailable(long now) {
      Figures before = figures;
      boolean available = allowRequest(now);
      write(before);
      return available;
    }

    void recordSuccess(long nanos, long now, @Nullable UnguardedPermit permit) {
      Figures next = read(now).count(true, nanos);
      boolean ignored = next.state() == CircuitState.OPEN || isAnothers(next, permit);
      write(ignored ? next : next.enter(CircuitState.CLOSED, now, 0));
    }

    void recordFailure(long nanos, long now, @Nullable UnguardedPermit permit) {
      Figures next = read(now).count(false, nanos);
      long run = next.consecutiveFailures() + 1;
      boolean opens = next.state() != CircuitState.CLOSED || run >= config.failureThreshold();
      write(
          isAnothers(next, permit)
              ? next
              : next.enter(opens ? CircuitState.OPEN : CircuitState.CLOSED, now, run));
    }

    void cancel(long now, UnguardedPermit permit) {
      Figures read = read(now);
      if (read.state() == CircuitState.HALF_OPEN && read.probe() == permit) {
        long elapsed = now - config.recoveryNanos();
        write(read.enter(CircuitState.OPEN, elapsed, read.consecutiveFailures()));
      }
    }

    private static boolean isAnothers(Figures figures, @Nullable UnguardedPermit permit) {
      return figures.state() == CircuitState.HALF_OPEN && figures.probe() != permit;
    }

    Figures read(long now) {
      Figures read = figures;
      long leaseEnd = read.since() + config.probeTimeoutNanos();
      return read.state() == CircuitState.HALF_OPEN && now >= leaseEnd
          ? read.enter(CircuitState.OPEN, leaseEnd, read.consecutiveFailures())
          : read;
    }

    private void write(Figures next) {
      letOthersIn();
      figures = next;
    }
  }

  private static final class UnguardedPermit implements Permit {
    private final UnguardedTool tool;
    private final LongSupplier clock;
    private boolean granted;
    private volatile boolean hasReported;

    UnguardedPermit(UnguardedTool tool, LongSupplier clock) {
      this.tool = tool;
      this.clock = clock;
    }

    @Override
    public boolean isGranted() {
      return granted;
    }

    @Override
    public long retryAfterNanos() {
      return granted ? 0 : UNBOUNDED;
    }

    private boolean reports() {
      boolean first = !hasReported;
      letOthersIn();
      hasReported = true;
      return first;
    }

    @Override
    public void success(long nanos) {
      if (reports()) {
        tool.recordSuccess(nanos, clock.getAsLong(), this);
      }
    }

    @Override
    public void failure(long nanos) {
      if (reports()) {
        tool.recordFailure(nanos, clock.getAsLong(), this);
      }
    }

    @Override
    public void cancel() {
      if (reports()) {
        tool.cancel(clock.getAsLong(), this);
      }
    }

    @Override
    public void close() {
      cancel();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // widens the window, so every race fails
  private static void letOthersIn() {
    Thread.yield();
  }
}

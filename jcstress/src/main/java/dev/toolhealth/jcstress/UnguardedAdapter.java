package dev.toolhealth.jcstress;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A deliberately faulty subject: right for one thread, and without a guard against a second. It
 * checks and then acts, reads and then writes. Every race must see it fail.
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
        Capability.SUMMARY);
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
      tool(tool).recordSuccess(nanos, clock.getAsLong());
    }

    @Override
    public void recordFailure(String tool, long nanos) {
      tool(tool).recordFailure(nanos, clock.getAsLong());
    }

    @Override
    public boolean isToolAvailable(String tool) {
      return tool(tool).isAvailable(clock.getAsLong());
    }

    @Override
    public CircuitState circuitState(String tool) {
      return tool(tool).stateAt(clock.getAsLong());
    }

    @Override
    public long consecutiveFailures(String tool) {
      return tool(tool).consecutiveFailures;
    }

    @Override
    public Statistics statistics(String tool) {
      UnguardedTool t = tool(tool);
      return new Statistics(
          t.successes, t.failures, t.successes + t.failures, 0, t.durationSum, 0, t.maxDuration);
    }

    @Override
    public long ewma(String tool) {
      return tool(tool).ewma;
    }

    @Override
    public long toolCount() {
      return tools.size();
    }
  }

  private static final class UnguardedTool {
    private final Config config;

    // Volatile, so that a rival sees the two change one after the other.
    private volatile CircuitState state = CircuitState.CLOSED;
    private volatile long since;

    private long consecutiveFailures;
    private long successes;
    private long failures;
    private long durationSum;
    private long maxDuration;
    private long ewma = 1_000_000;

    UnguardedTool(Config config) {
      this.config = config;
    }

    boolean allowRequest(long now) {
      return switch (stateAt(now)) {
        case CLOSED -> {
          enter(CircuitState.CLOSED, now); // what was read is written back
          yield true;
        }
        case HALF_OPEN -> false;
        case OPEN -> {
          boolean elapsed = now - since >= config.recoveryNanos();
          if (elapsed) {
            enter(CircuitState.HALF_OPEN, now);
          }
          yield elapsed;
        }
      };
    }

    /** Asks the gate, and then puts back what the gate has changed. */
    boolean isAvailable(long now) {
      CircuitState oldState = state;
      long oldSince = since;
      boolean available = allowRequest(now);
      enter(oldState, oldSince);
      return available;
    }

    CircuitState stateAt(long now) {
      if (state == CircuitState.HALF_OPEN && now - since >= config.probeTimeoutNanos()) {
        enter(CircuitState.OPEN, since + config.probeTimeoutNanos());
      }
      return state;
    }

    void recordSuccess(long nanos, long now) {
      successes++;
      addDuration(nanos);
      ewma = (7 * ewma + 3_000_000) / 10;
      if (stateAt(now) != CircuitState.OPEN) {
        consecutiveFailures = 0;
        enter(CircuitState.CLOSED, now);
      }
    }

    void recordFailure(long nanos, long now) {
      failures++;
      addDuration(nanos);
      ewma = 7 * ewma / 10;
      consecutiveFailures++;
      if (stateAt(now) != CircuitState.CLOSED || consecutiveFailures >= config.failureThreshold()) {
        enter(CircuitState.OPEN, now);
      }
    }

    /** Shows the new state before it has its time. */
    private void enter(CircuitState newState, long start) {
      state = newState;
      since = start;
    }

    private void addDuration(long nanos) {
      durationSum += nanos;
      maxDuration = Math.max(maxDuration, nanos);
    }
  }
}

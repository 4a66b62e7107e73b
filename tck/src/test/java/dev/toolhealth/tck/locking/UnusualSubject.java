package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * A correct implementation that uses the freedom left by the rules in an unusual way.
 *
 * @param description the unusual part, as a clause
 * @param adapter the implementation's adapter
 */
public record UnusualSubject(String description, Adapter adapter) {

  /** Returns all unusual implementations. */
  public static List<UnusualSubject> all() {
    return List.of(
        ofTools("stores deadlines instead of starts", DeadlineTool::new),
        ofTools("swaps immutable states", SwappingTool::new),
        ofTools("reads the clock several times per operation", ClockReader::new),
        ofTools("opens the breaker when a read finds an expired lease", Settler::new),
        ofTools("calculates in a different order", Calculator::new),
        of(
            "counts time from its creation",
            (config, clock) -> {
              long beginning = clock.getAsLong();
              return new LockingRegistry(config, () -> clock.getAsLong() - beginning);
            }),
        of("uses one lock for all tools", OneLock::new),
        of("creates a new handle for every request", HandleMaker::new),
        of("throws exception types of its own", OwnErrors::new),
        of("returns an immutable summary", FixedSummary::new),
        of("returns a summary that is a live view", LiveSummary::new));
  }

  private static UnusualSubject of(
      String description, BiFunction<Config, LongSupplier, Subject> registry) {
    return new UnusualSubject(
        description,
        new LockingAdapter() {
          @Override
          public Subject create(Config config, LongSupplier nanoClock) {
            return registry.apply(config, nanoClock);
          }
        });
  }

  private static UnusualSubject ofTools(
      String description, BiFunction<Config, LongSupplier, LockingTool> tool) {
    return of(
        description,
        (initial, clock) ->
            new LockingRegistry(initial, clock) {
              @Override
              LockingTool newTool() {
                return tool.apply(config, clock);
              }
            });
  }

  @Override
  public String toString() {
    return description;
  }

  private static final class ClockReader extends LockingTool {
    private long latest;

    ClockReader(Config config, LongSupplier clock) {
      super(config, clock);
      look();
    }

    private void look() {
      latest = clock.getAsLong() + latest - clock.getAsLong();
    }

    @Override
    boolean admit() {
      look();
      return super.admit();
    }

    @Override
    void applySuccess() {
      look();
      super.applySuccess();
      look();
    }

    @Override
    void applyFailure() {
      look();
      super.applyFailure();
      look();
    }

    @Override
    synchronized long ewma() {
      look();
      return super.ewma();
    }
  }

  private static final class Settler extends LockingTool {
    Settler(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    CircuitState stateAt(long now) {
      endExpiredLease(now);
      return super.stateAt(now);
    }

    @Override
    long cooldownStartAt(long now) {
      endExpiredLease(now);
      return super.cooldownStartAt(now);
    }
  }

  private static final class Calculator extends LockingTool {
    Calculator(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    void addSample(long sample) {
      ewma = 7 * ewma / 10 + 3 * sample / 10; // the second division has no remainder
    }

    @Override
    void addDuration(long nanos) {
      long sum = durationSum + Math.max(0, nanos);
      durationSum = sum < 0 ? Long.MAX_VALUE : sum;
      durationMax = Math.max(durationMax, nanos);
    }

    @Override
    double successRate() {
      return total() == 0 ? 1.0 : 1.0 - (double) failures / total();
    }

    @Override
    synchronized double score() {
      return (3 * successRate() + 7 * (ewma / 1e6)) / 10;
    }
  }

  private static final class OneLock extends LockingRegistry {
    OneLock(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    public synchronized boolean allowRequest(String tool) {
      return super.allowRequest(tool);
    }

    @Override
    public synchronized void recordSuccess(String tool, long nanos) {
      super.recordSuccess(tool, nanos);
    }

    @Override
    public synchronized void recordFailure(String tool, long nanos) {
      super.recordFailure(tool, nanos);
    }

    @Override
    public synchronized Statistics statistics(String tool) {
      return super.statistics(tool);
    }

    @Override
    public synchronized HealthStatus healthStatus(String tool) {
      return super.healthStatus(tool);
    }
  }

  private static final class HandleMaker extends LockingRegistry {
    HandleMaker(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    public Handle handle(String tool) {
      toolToChange(tool); // creates the tool
      return new ByName(this, tool);
    }
  }

  private static final class OwnErrors extends LockingRegistry {
    OwnErrors(Config config, LongSupplier clock) {
      super(own(config), clock);
    }

    private static Config own(Config config) {
      try {
        return checked(config);
      } catch (IllegalArgumentException e) {
        throw new BadNumber("There is something wrong here. " + e.getMessage(), e);
      }
    }

    @Override
    public void configure(Config config) {
      super.configure(own(config));
    }

    @Override
    LockingTool toolToChange(String tool) {
      requireName(tool);
      return super.toolToChange(tool);
    }

    @Override
    LockingTool toolToRead(String tool) {
      requireName(tool);
      return super.toolToRead(tool);
    }

    private static void requireName(String tool) {
      if (tool == null) {
        throw new NoName();
      }
    }

    private static final class NoName extends NullPointerException {
      private static final long serialVersionUID = 1;

      NoName() {
        super("Give the NAME of a TOOL!");
      }
    }

    private static final class BadNumber extends IllegalArgumentException {
      private static final long serialVersionUID = 1;

      BadNumber(String message, Throwable cause) {
        super(message, cause);
      }
    }
  }

  private static final class FixedSummary extends LockingRegistry {
    FixedSummary(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    public Map<String, SummaryEntry> healthSummary() {
      return Collections.unmodifiableMap(new HashMap<>(super.healthSummary()));
    }
  }

  private static final class LiveSummary extends LockingRegistry {
    LiveSummary(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    public Map<String, SummaryEntry> healthSummary() {
      return new AbstractMap<>() {
        @Override
        public Set<Entry<String, SummaryEntry>> entrySet() {
          return LiveSummary.super.healthSummary().entrySet();
        }
      };
    }
  }
}

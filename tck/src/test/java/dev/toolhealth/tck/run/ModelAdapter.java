package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import dev.toolhealth.tck.locking.ByName;
import dev.toolhealth.tck.locking.PermitAdapter;
import dev.toolhealth.tck.spec.Model;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

/** Adapts the kit's own model, and adds its missing parts. */
public final class ModelAdapter implements Adapter {

  @Override
  public Set<Capability> capabilities() {
    return new PermitAdapter().capabilities();
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return new ModelSubject(config, nanoClock);
  }

  private static final class ModelSubject implements Subject {
    private final LongSupplier clock;
    private final long start;
    private final Model model;
    private long permits;

    ModelSubject(Config config, LongSupplier clock) {
      refuseNegatives(config);
      this.clock = clock;
      this.start = clock.getAsLong();
      this.model = new Model(config);
    }

    /** Returns the model's time: the time since the subject was created. */
    private long now() {
      return clock.getAsLong() - start;
    }

    @Override
    public synchronized boolean allowRequest(String tool) {
      return model.allowRequest(known(tool), now()).value();
    }

    @Override
    public synchronized void recordSuccess(String tool, long nanos) {
      model.recordSuccess(known(tool), nanos, now());
    }

    @Override
    public synchronized void recordFailure(String tool, long nanos) {
      model.recordFailure(known(tool), nanos, now());
    }

    @Override
    public synchronized boolean isToolAvailable(String tool) {
      return model.isToolAvailable(known(tool), now()).value();
    }

    @Override
    public synchronized CircuitState circuitState(String tool) {
      return model.circuitState(known(tool), now()).value();
    }

    @Override
    public synchronized long consecutiveFailures(String tool) {
      return model.consecutiveFailures(known(tool)).value();
    }

    @Override
    public synchronized Statistics statistics(String tool) {
      known(tool);
      return new Statistics(
          model.successes(tool).value(),
          model.failures(tool).value(),
          model.total(tool).value(),
          model.successRate(tool).value(),
          model.durationSum(tool).value(),
          model.averageDuration(tool).value(),
          model.maxDuration(tool).value());
    }

    @Override
    public synchronized long ewma(String tool) {
      return model.ewma(known(tool)).value();
    }

    @Override
    public synchronized double score(String tool) {
      return model.score(known(tool)).value();
    }

    @Override
    public synchronized HealthStatus healthStatus(String tool) {
      return model.healthStatus(known(tool), now()).value();
    }

    @Override
    public synchronized long toolCount() {
      return model.toolCount().value();
    }

    @Override
    public synchronized Map<String, SummaryEntry> healthSummary() {
      return model.healthSummary(now()).value();
    }

    @Override
    public synchronized void configure(Config config) {
      refuseNegatives(config);
      model.configure(config);
    }

    @Override
    public synchronized void setFallbacks(String primary, List<String> fallbacks) {
      Objects.requireNonNull(primary, "primary");
      Objects.requireNonNull(fallbacks, "fallbacks")
          .forEach(fallback -> Objects.requireNonNull(fallback, "fallbacks"));
      model.setFallbacks(primary, fallbacks);
    }

    @Override
    public synchronized String route(String primary) {
      return model.route(known(primary), now()).value();
    }

    @Override
    public synchronized Permit tryAcquire(String tool) {
      return new ModelPermit(known(tool), "permit " + ++permits);
    }

    private final class ModelPermit implements Permit {
      private final String tool;
      private final String name;
      private final long retryAfter;

      ModelPermit(String tool, String name) {
        this.tool = tool;
        this.name = name;
        this.retryAfter = model.tryAcquire(tool, name, now()).value();
      }

      @Override
      public boolean isGranted() {
        return retryAfter == 0;
      }

      @Override
      public long retryAfterNanos() {
        return retryAfter;
      }

      @Override
      public void success(long nanos) {
        report(true, nanos);
      }

      @Override
      public void failure(long nanos) {
        report(false, nanos);
      }

      private void report(boolean success, long nanos) {
        synchronized (ModelSubject.this) {
          model.report(tool, name, success, nanos, now());
        }
      }

      @Override
      public void cancel() {
        synchronized (ModelSubject.this) {
          model.cancel(tool, name, now());
        }
      }

      @Override
      public void close() {
        cancel();
      }
    }

    @Override
    public synchronized Handle handle(String tool) {
      model.handle(known(tool));
      return new ByName(this, tool);
    }

    private static String known(String tool) {
      return Objects.requireNonNull(tool, "tool");
    }

    private static void refuseNegatives(Config config) {
      refuseNegative("failureThreshold", config.failureThreshold());
      refuseNegative("recoveryDuration", config.recoveryNanos());
      refuseNegative("probeTimeout", config.probeTimeoutNanos());
    }

    private static void refuseNegative(String field, long value) {
      if (value < 0) {
        throw new IllegalArgumentException(field + " is " + value);
      }
    }
  }
}

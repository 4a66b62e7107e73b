package dev.toolhealth.tck.run;

import static java.util.Objects.requireNonNullElse;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.script.Waits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * Runs the checks on the real clock side by side, because they mostly wait. Each check has its own
 * registries. If the checks slow each other down too much, a round is void and plays again; the
 * subject is never blamed.
 */
final class Waiting {
  private Waiting() {}

  /** Runs the checks and returns their results by the id of the check. */
  static Map<String, RuleCheck.Result> together(
      List<RuleCheck> checks, Adapter adapter, Waits waits) {
    Adapter shared = new OneAtATime(adapter);
    ExecutorService threads =
        Executors.newFixedThreadPool(
            checks.size(),
            task -> {
              Thread thread = new Thread(task, "wall-clock");
              thread.setDaemon(true); // a subject that hangs must not keep the kit alive
              return thread;
            });
    try {
      Map<String, Future<RuleCheck.Result>> running = new LinkedHashMap<>();
      for (RuleCheck check : checks) {
        running.put(check.id(), threads.submit(() -> check.run(shared, waits)));
      }
      Map<String, RuleCheck.Result> results = new LinkedHashMap<>();
      running.forEach((id, result) -> results.put(id, result(result)));
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  private static RuleCheck.Result result(Future<RuleCheck.Result> result) {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a check failed", requireNonNullElse(e.getCause(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the checks", e);
    }
  }

  /** An adapter that only one thread at a time calls, as the kit promises. */
  private static final class OneAtATime implements Adapter {
    private final Adapter adapter;

    OneAtATime(Adapter adapter) {
      this.adapter = adapter;
    }

    @Override
    public synchronized Set<Capability> capabilities() {
      return adapter.capabilities();
    }

    @Override
    public synchronized Subject create(Config config, LongSupplier nanoClock) {
      return adapter.create(config, nanoClock);
    }
  }
}

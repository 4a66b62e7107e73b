package dev.toolhealth.tck.rules;

import static java.util.Objects.requireNonNullElse;

import dev.toolhealth.tck.script.Departure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/** A group of real threads that call a subject at the same time. */
final class Callers implements AutoCloseable {
  // No task takes this long unless the subject is deadlocked.
  private static final long GIVE_UP_SECONDS = 60;

  // Enough for a running thread to arrive, but too few to starve a thread that waits for a core.
  private static final int SPINS = 1_000;
  private static final int PATIENCE = SPINS + 3;

  private final Bench bench;
  private final int count;
  private final ExecutorService threads;
  private final CyclicBarrier start;

  Callers(Bench bench, int count) {
    this.bench = bench;
    this.count = count;
    this.start = new CyclicBarrier(count);
    this.threads =
        Executors.newFixedThreadPool(
            count,
            task -> {
              Thread thread = new Thread(task, "caller");
              thread.setDaemon(true); // a subject that hangs must not keep the kit alive
              return thread;
            });
  }

  /**
   * Starts the tasks of all callers together and waits until all have finished.
   *
   * @return the answer of each caller
   */
  <T> List<T> all(String story, IntFunction<Callable<T>> tasks) {
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Callable<T> task = tasks.apply(i);
      futures.add(
          threads.submit(
              () -> {
                awaitStart();
                return task.call();
              }));
    }
    List<T> answers = new ArrayList<>();
    for (Future<T> future : futures) {
      answers.add(answer(story, future));
    }
    return answers;
  }

  private void awaitStart() throws InterruptedException {
    try {
      start.await();
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException("another caller was stopped before the start", e);
    }
  }

  /** The action of a caller in a round. */
  interface Turn {
    void take(int caller, int round);
  }

  /**
   * Runs the turns of all callers in many rounds and waits until all have finished.
   *
   * <p>A barrier wakes its threads one after the other, so they would hardly race. Here the callers
   * spin until all of them have arrived. A caller spins only for a moment, because another caller
   * may be without a core. A late caller finds the others ahead, does not wait, and catches up.
   */
  void rounds(String story, int rounds, Turn turn) {
    AtomicIntegerArray arrivals = new AtomicIntegerArray(rounds);
    all(
        story,
        caller ->
            () -> {
              for (int round = 0; round < rounds; round++) {
                arrivals.incrementAndGet(round);
                for (int i = 0; i < PATIENCE && arrivals.get(round) < count; i++) {
                  pause(i);
                }
                turn.take(caller, round);
              }
              return true;
            });
  }

  /**
   * Spins until another caller has made a condition true.
   *
   * @throws InterruptedException if the callers are stopped, because the other caller has failed
   */
  static void await(BooleanSupplier condition) throws InterruptedException {
    for (int spins = 0; !condition.getAsBoolean(); spins++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the callers were stopped");
      }
      pause(spins);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // there may be more callers than cores
  private static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  private <T> T answer(String story, Future<T> future) {
    try {
      return future.get(GIVE_UP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw bench.departure(
          story,
          "a caller was not done after "
              + GIVE_UP_SECONDS
              + " s: look for a call that waits for a lock");
    } catch (ExecutionException e) {
      throw bench.departure(
          story, "a call " + Departure.threw(requireNonNullElse(e.getCause(), e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the callers", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

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

/** Real threads that call a subject at the same time. */
final class Callers implements AutoCloseable {
  // Not a time that anything should take: a subject that needs it has locked itself up.
  private static final long GIVE_UP_SECONDS = 60;

  // Long enough for a thread that runs, too short to keep one that waits for a core from it.
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
              thread.setDaemon(true); // a subject that hangs must not keep the kit from ending
              return thread;
            });
  }

  /**
   * Lets every caller do its task, begun together, and waits for them.
   *
   * @return what each of them answered
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
      throw new IllegalStateException("another caller was stopped before it began", e);
    }
  }

  /** What a caller does in a round. */
  interface Turn {
    void take(int caller, int round);
  }

  /**
   * Lets every caller take its turn in each of many rounds, and waits for them.
   *
   * <p>Callers that a barrier wakes are awake one after the other, and hardly race. Here they meet
   * before each turn without being parked. None waits longer than a moment: another one may have no
   * core. It finds everybody ahead of it once it has one, so it catches up, and they meet again.
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
   * Waits, without being parked, until something is true that another caller brings about.
   *
   * @throws InterruptedException if the callers are stopped, since the other one may have failed
   */
  static void await(BooleanSupplier condition) throws InterruptedException {
    for (int spins = 0; !condition.getAsBoolean(); spins++) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the callers were stopped");
      }
      pause(spins);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // there can be many more callers than cores
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
          "a caller has not done its part in "
              + GIVE_UP_SECONDS
              + " s: is one of its calls waiting for a lock?");
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

package dev.toolhealth.tck.rules;

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
import java.util.function.IntFunction;

/** Real threads that call a subject at the same time. */
final class Callers implements AutoCloseable {
  // Not a time that anything should take: a subject that needs it has locked itself up.
  private static final long GIVE_UP_SECONDS = 60;

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
   * Lets every caller do its task, all from the same moment, and waits for them.
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

  private <T> T answer(String story, Future<T> future) {
    try {
      return future.get(GIVE_UP_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw bench.departure(
          story,
          "a call has not returned for " + GIVE_UP_SECONDS + " s: is it waiting for a lock?");
    } catch (ExecutionException e) {
      throw bench.departure(story, "a call threw " + e.getCause());
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

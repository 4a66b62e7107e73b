package dev.toolhealth;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls tools through their gates, and records what comes of it:
 *
 * <pre>{@code
 * ToolDispatcher dispatcher = new ToolDispatcher(registry);
 * String answer = dispatcher.dispatch("search", tool -> search(query)).text();
 * }</pre>
 *
 * <p>Every call asks the gate first; a refusal is an ordinary result (GATE-1). A call that returns
 * is a success, one that throws is a failure, and its exception an ordinary result too (GATE-2). An
 * {@link Error} counts as a failure and is thrown on. Who retries dispatches anew (GATE-4).
 *
 * <p>A call that its caller gave up has no outcome: nothing is recorded, and if it was the probe,
 * the next caller can be granted the probe at once (GATE-5). These are a call that ends with a
 * {@link CancellationException}, or with an {@link InterruptedException} or any other exception in
 * a thread that is interrupted; and a future that somebody else than the tool has completed, by a
 * cancellation or a timeout of the caller's own. A time limit of the tool's own is a failure of the
 * tool.
 *
 * <p>Immutable, and safe for use by any number of threads, virtual ones included: it holds no lock
 * while a tool runs, so that a tool may call tools.
 */
public final class ToolDispatcher {
  private final ToolHealthRegistry registry;
  private final @Nullable HealthRouter router;
  private final Predicate<@Nullable Object> failureIf;
  private final Predicate<Throwable> noOutcomeIf;

  /**
   * Creates a dispatcher that goes to the tools that are asked for, takes every value that is
   * returned for a success and every exception for a failure. What it goes by is changed by
   * copying.
   *
   * @param registry the tools' health
   */
  public ToolDispatcher(ToolHealthRegistry registry) {
    this(Objects.requireNonNull(registry, "registry"), null, value -> false, thrown -> false);
  }

  private ToolDispatcher(
      ToolHealthRegistry registry,
      @Nullable HealthRouter router,
      Predicate<@Nullable Object> failureIf,
      Predicate<Throwable> noOutcomeIf) {
    this.registry = registry;
    this.router = router;
    this.failureIf = failureIf;
    this.noOutcomeIf = noOutcomeIf;
  }

  /**
   * Copies this dispatcher with a router: it goes to a substitute while the tool that is asked for
   * is refused. Calls are given its name then, and have to call it: what comes of it is recorded as
   * its own.
   *
   * @param router finds the substitutes
   * @return the copy
   * @throws IllegalArgumentException if it goes by another registry than this dispatcher
   */
  public ToolDispatcher withRouter(HealthRouter router) {
    if (!Objects.requireNonNull(router, "router").choosesFrom(registry)) {
      throw new IllegalArgumentException(
          "router goes by another registry but must go by this dispatcher's");
    }
    return new ToolDispatcher(registry, router, failureIf, noOutcomeIf);
  }

  /**
   * Copies this dispatcher with a test for values that are failures: many tools answer with an
   * error object.
   *
   * @param failureIf says whether a value is one; what it throws goes to the caller
   * @return the copy
   */
  public ToolDispatcher withFailureIf(Predicate<@Nullable Object> failureIf) {
    Objects.requireNonNull(failureIf, "failureIf");
    return new ToolDispatcher(registry, router, failureIf, noOutcomeIf);
  }

  /**
   * Copies this dispatcher with a test for exceptions that are no outcome of the tool: a caller's
   * bad argument says nothing of the tool's health. Nothing is recorded then, and the slot of a
   * probe is given back. Errors are not asked about.
   *
   * @param noOutcomeIf says whether an exception is one; what it throws goes to the caller
   * @return the copy
   */
  public ToolDispatcher withNoOutcomeIf(Predicate<Throwable> noOutcomeIf) {
    Objects.requireNonNull(noOutcomeIf, "noOutcomeIf");
    return new ToolDispatcher(registry, router, failureIf, noOutcomeIf);
  }

  /**
   * Calls a tool in this thread, if its gate lets the call through.
   *
   * @param tool the name of the tool that is asked for
   * @param call calls the tool that is given to it
   * @param <T> what the tool returns
   * @return what came of it
   * @throws CancellationException if the call was given up; the thread is interrupted if it was
   *     that (GATE-5)
   */
  public <T extends @Nullable Object> ToolResult<T> dispatch(String tool, ToolCall<T> call) {
    Objects.requireNonNull(call, "call");
    String chosen = choose(tool);
    // Closing cancels what has not reported, whatever way this block is left.
    try (Permit permit = registry.tryAcquire(chosen)) {
      if (!permit.isGranted()) {
        return new ToolResult.Refused<>(chosen, permit.retryAfter());
      }
      Attempt<T> attempt = new Attempt<>(chosen, permit);
      T value;
      try {
        value = call.call(chosen);
      } catch (Throwable thrown) {
        return attempt.threw(thrown);
      }
      return attempt.returned(value);
    }
  }

  /**
   * Calls a tool that answers later, if its gate lets the call through. The outcome is recorded
   * when the tool's stage completes. Who completes or cancels the future that is returned before
   * that gives the call up: the tool's stage is cancelled then, if it can be, and nothing is
   * recorded. So a time limit of the tool, which is to count as its failure, belongs on the stage.
   *
   * @param tool the name of the tool that is asked for
   * @param call calls the tool that is given to it, in this thread
   * @param <T> what the tool returns
   * @return what comes of it; completed with a {@link CancellationException} if the call was given
   *     up
   */
  @SuppressWarnings("FutureReturnValueIgnored") // what the two actions throw is caught in them
  public <T extends @Nullable Object> CompletableFuture<ToolResult<T>> dispatchAsync(
      String tool, ToolCall<? extends CompletionStage<T>> call) {
    Objects.requireNonNull(call, "call");
    String chosen = choose(tool);
    Permit permit = registry.tryAcquire(chosen);
    if (!permit.isGranted()) {
      return CompletableFuture.completedFuture(
          new ToolResult.Refused<>(chosen, permit.retryAfter()));
    }
    Attempt<T> attempt = new Attempt<>(chosen, permit);
    Pending<T> result = new Pending<>(permit);
    try {
      CompletionStage<T> stage =
          Objects.requireNonNull(call.call(chosen), "the call returned null for a stage");
      result.whenComplete(
          (done, none) -> {
            permit.close(); // if it was completed in a way that does not ask it
            if (stage instanceof Future<?> running) {
              running.cancel(true); // in vain if it is done
            }
          });
      stage.whenComplete(
          (value, thrown) ->
              result.settle(
                  () -> thrown == null ? attempt.returned(value) : attempt.ended(thrown)));
    } catch (Throwable thrown) {
      result.settle(() -> attempt.threw(thrown));
    }
    return result;
  }

  private String choose(String tool) {
    Objects.requireNonNull(tool, "tool");
    return router == null ? tool : router.route(tool);
  }

  /**
   * What comes of a call that answers later. The stage's end and the caller's giving up race for
   * the permit, which takes one of them. Health is up to date before anybody can see the result:
   * what is to be done on completion is done in no order that could be relied on.
   */
  private static final class Pending<T extends @Nullable Object>
      extends CompletableFuture<ToolResult<T>> {
    private final Permit permit;

    Pending(Permit permit) {
      this.permit = permit;
    }

    /** Takes what came of the call. If it was given up before, nobody is told of that. */
    void settle(Supplier<ToolResult<T>> outcome) {
      ToolResult<T> result;
      try (permit) {
        result = outcome.get();
      } catch (Throwable none) {
        super.completeExceptionally(none);
        return;
      }
      super.complete(result);
    }

    @Override
    public boolean complete(ToolResult<T> value) {
      permit.close();
      return super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
      permit.close();
      return super.completeExceptionally(thrown);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      permit.close();
      return super.cancel(mayInterruptIfRunning);
    }
  }

  /** A call that was let through. What has no outcome it leaves to whoever closes the permit. */
  private final class Attempt<T extends @Nullable Object> {
    private final String tool;
    private final Permit permit;
    private final long start = registry.nanoTime();

    Attempt(String tool, Permit permit) {
      this.tool = tool;
      this.permit = permit;
    }

    ToolResult<T> returned(T value) {
      Duration duration = elapsed();
      if (failureIf.test(value)) {
        permit.failure(duration);
        String error = value == null ? "null" : words(value, value::toString);
        return new ToolResult.Failed<>(tool, error, null, value, duration);
      }
      permit.success(duration);
      return new ToolResult.Completed<>(tool, value, duration);
    }

    /** Makes a result of what was thrown in the caller's thread, or throws what is none. */
    ToolResult<T> threw(Throwable thrown) {
      boolean interrupted =
          Thread.currentThread().isInterrupted() || thrown instanceof InterruptedException;
      if (interrupted && !(thrown instanceof Error)) {
        Thread.currentThread().interrupt();
        throw givenUp(thrown);
      }
      return ended(thrown);
    }

    /** Makes a result of how the call ended, in whatever thread, or throws what is none. */
    ToolResult<T> ended(Throwable exception) {
      boolean isWrapper =
          exception instanceof CompletionException || exception instanceof ExecutionException;
      Throwable cause = isWrapper ? exception.getCause() : null;
      Throwable thrown = cause != null ? cause : exception;
      if (thrown instanceof CancellationException || thrown instanceof InterruptedException) {
        throw givenUp(thrown);
      }
      Duration duration = elapsed();
      if (thrown instanceof Error error) {
        permit.failure(duration);
        throw error;
      }
      if (!noOutcomeIf.test(thrown)) {
        permit.failure(duration);
      }
      String error = words(thrown, thrown::getMessage);
      return new ToolResult.Failed<>(tool, error, thrown, null, duration);
    }

    /**
     * What something says, which is the tool's own code and may fail as well, or else its class.
     */
    private static String words(Object speaker, Supplier<@Nullable String> speech) {
      try {
        String said = speech.get();
        if (said != null) {
          return said;
        }
      } catch (RuntimeException mute) {
        // The failure is recorded, and what went wrong in the call is more than this.
      }
      String name = speaker.getClass().getSimpleName();
      return name.isEmpty() ? speaker.getClass().getName() : name;
    }

    private CancellationException givenUp(Throwable thrown) {
      if (thrown instanceof CancellationException cancellation) {
        return cancellation;
      }
      CancellationException cancellation =
          new CancellationException("the call of " + tool + " was interrupted");
      cancellation.initCause(thrown);
      return cancellation;
    }

    private Duration elapsed() {
      return Duration.ofNanos(Math.max(0, registry.nanoTime() - start));
    }
  }
}

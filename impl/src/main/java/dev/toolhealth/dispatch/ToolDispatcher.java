package dev.toolhealth.dispatch;

import dev.toolhealth.Permit;
import dev.toolhealth.ToolHealthRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A caller of tools: asks the gate, runs the tool, and records the outcome.
 *
 * <pre>{@code
 * ToolDispatcher dispatcher = new ToolDispatcher(registry);
 * String answer = dispatcher.dispatch("search", tool -> search(query)).text();
 * }</pre>
 *
 * <p>The gate is asked before every call, and a refusal is an ordinary result (GATE-1). A call that
 * returns is a success. A call that throws is a failure, and the exception becomes an ordinary
 * result (GATE-2). {@link #withVerdict} sets other rules for success and failure. An {@link Error}
 * is recorded as a failure and rethrown. To retry, dispatch again (GATE-4).
 *
 * <p>A pending result is not a success (GATE-6). Use {@link #dispatch} for tools that return their
 * result, {@link #dispatchAsync} for tools that return a stage, and {@link #dispatchStream} for
 * tools that return a stream.
 *
 * <p>Cancelled and interrupted calls are not recorded, because they say nothing about the tool
 * (GATE-5). If the cancelled call was the probe, the next call becomes the probe. A call counts as
 * cancelled in three cases:
 *
 * <ul>
 *   <li>The call ends with a {@link CancellationException} or an {@link InterruptedException}.
 *   <li>The call throws any exception while its thread is interrupted.
 *   <li>The caller completes or cancels the dispatcher's future.
 * </ul>
 *
 * <p>Immutable, and safe for use by multiple threads, including virtual threads. No lock is held
 * while a tool runs, so tools may call tools.
 */
public final class ToolDispatcher {
  private static final int DEFAULT_MAX_ERROR_LENGTH = 2_000;

  private final ToolHealthRegistry registry;
  private final @Nullable HealthRouter router;
  private final Function<? super FinishedCall, Verdict> verdict;
  private final int maxErrorLength;

  /**
   * Creates a dispatcher without a router, with the default verdicts and with error texts of at
   * most 2 000 characters. The {@code with} methods return changed copies.
   *
   * @param registry the health of the tools
   */
  public ToolDispatcher(ToolHealthRegistry registry) {
    this(
        Objects.requireNonNull(registry, "registry"),
        null,
        FinishedCall::defaultVerdict,
        DEFAULT_MAX_ERROR_LENGTH);
  }

  private ToolDispatcher(
      ToolHealthRegistry registry,
      @Nullable HealthRouter router,
      Function<? super FinishedCall, Verdict> verdict,
      int maxErrorLength) {
    this.registry = registry;
    this.router = router;
    this.verdict = verdict;
    this.maxErrorLength = maxErrorLength;
  }

  /**
   * Returns a copy that calls a substitute while the requested tool is refused. The {@link
   * ToolCall} receives the substitute's name, and the outcome is recorded for the substitute
   * (GATE-3).
   *
   * @param router finds the substitutes
   * @return the copy
   * @throws IllegalArgumentException if the router reads another registry than this dispatcher
   */
  public ToolDispatcher withRouter(HealthRouter router) {
    if (!Objects.requireNonNull(router, "router").reads(registry)) {
      throw new IllegalArgumentException(
          "router reads another registry but must read this dispatcher's");
    }
    return new ToolDispatcher(registry, router, verdict, maxErrorLength);
  }

  /**
   * Returns a copy with another function that decides the meaning of a finished call for the tool's
   * health (GATE-8). For example, a server that answers "not found" is alive:
   *
   * <pre>{@code
   * dispatcher.withVerdict(
   *     call -> call.exception() instanceof NotFoundException
   *         ? Verdict.SUCCESS
   *         : call.defaultVerdict());
   * }</pre>
   *
   * <p>The function decides only the recorded outcome. The model still reads the exception's
   * message. A value with the verdict {@link Verdict#FAILURE} becomes a {@link ToolResult.Failed}.
   * The function is not asked about cancelled calls, interrupted calls and {@link Error}s.
   *
   * @param verdict the function. An exception of the function reaches the caller, and nothing is
   *     recorded. A null verdict causes a {@link NullPointerException} in the same way.
   * @return the copy
   */
  public ToolDispatcher withVerdict(Function<? super FinishedCall, Verdict> verdict) {
    Objects.requireNonNull(verdict, "verdict");
    return new ToolDispatcher(registry, router, verdict, maxErrorLength);
  }

  /**
   * Returns a copy with another bound on the length of error texts (GATE-7). A longer text is cut
   * between code points and ends with the number of characters that are missing.
   *
   * @param maxErrorLength the largest number of characters, at least 100
   * @return the copy
   * @throws IllegalArgumentException if {@code maxErrorLength} is below 100
   */
  public ToolDispatcher withMaxErrorLength(int maxErrorLength) {
    if (maxErrorLength < ErrorText.MIN_LENGTH) {
      throw new IllegalArgumentException(
          "maxErrorLength is %d but must be %d or more"
              .formatted(maxErrorLength, ErrorText.MIN_LENGTH));
    }
    return new ToolDispatcher(registry, router, verdict, maxErrorLength);
  }

  /**
   * Calls a tool in this thread, if its gate admits the call.
   *
   * @param tool the name of the requested tool
   * @param call calls the tool; receives the tool's name
   * @param <T> the type of the tool's result
   * @return the result
   * @throws CancellationException if the call was cancelled or interrupted. After an interrupt, the
   *     thread's interrupt status is set (GATE-5).
   * @throws IllegalStateException if the call returned a {@link CompletionStage}, a {@link Future},
   *     a {@link Flow.Publisher} or a publisher of Reactive Streams; nothing is recorded then
   *     (GATE-6)
   */
  public <T extends @Nullable Object> ToolResult<T> dispatch(String tool, ToolCall<T> call) {
    Objects.requireNonNull(call, "call");
    // Closing cancels a permit that has not reported, also when an exception leaves this block.
    try (Attempt<T> attempt = attempt(tool)) {
      if (attempt.isRefused()) {
        return attempt.refusal();
      }
      T value;
      try {
        value = call.call(attempt.start());
      } catch (Throwable thrown) {
        return attempt.threw(thrown);
      }
      return attempt.returned(value);
    }
  }

  /**
   * Calls a tool that returns a stage, if its gate admits the call. The outcome is recorded when
   * the stage completes.
   *
   * <p>Put a time limit on the stage. A time limit on the returned future only abandons the call:
   * completing or cancelling the future early cancels the stage, if possible, and nothing is
   * recorded. Futures derived from the returned future, for example by {@code thenApply}, do not
   * abandon the call.
   *
   * @param tool the name of the requested tool
   * @param call calls the tool in this thread; receives the tool's name
   * @param <T> the type of the tool's result
   * @return a future with the result; completes with a {@link CancellationException} if the call
   *     was cancelled
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the two actions let no exception escape
  public <T extends @Nullable Object> CompletableFuture<ToolResult<T>> dispatchAsync(
      String tool, ToolCall<? extends CompletionStage<T>> call) {
    Objects.requireNonNull(call, "call");
    Attempt<T> attempt = attempt(tool);
    if (attempt.isRefused()) {
      return CompletableFuture.completedFuture(attempt.refusal());
    }
    PendingResult<T> result = new PendingResult<>(attempt);
    try {
      CompletionStage<T> stage =
          Objects.requireNonNull(
              call.call(attempt.start()), "the call returned null instead of a stage");
      result.onEnd(
          () -> {
            if (stage instanceof Future<?> running) {
              running.cancel(true); // has no effect on a stage that is complete
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

  /**
   * Calls a tool that returns a stream, if its gate admits the call, and subscribes to the stream.
   * The outcome is recorded when the stream ends: completion is a success, an error is a failure,
   * and cancellation by the subscriber is no outcome (GATE-6). The duration runs from the call to
   * the end.
   *
   * <p>If the call is refused or throws, the subscriber is not subscribed; the returned future has
   * the text for the model. Cancelling the future cancels the subscription, and the subscriber may
   * receive no further signal. A stream that never ends has no outcome, for example if the
   * subscriber requests nothing. If such a stream was the probe, the probe ends by its lease.
   *
   * @param tool the name of the requested tool
   * @param call calls the tool in this thread; receives the tool's name
   * @param subscriber receives the stream's signals
   * @param <T> the type of the stream's items
   * @return a future with the result; completes after the subscriber has received the last signal.
   *     The value of a completed stream is the number of items. The future completes with a {@link
   *     CancellationException} if the stream was cancelled.
   */
  public <T> CompletableFuture<ToolResult<Long>> dispatchStream(
      String tool,
      ToolCall<? extends Flow.Publisher<T>> call,
      Flow.Subscriber<? super T> subscriber) {
    Objects.requireNonNull(call, "call");
    Objects.requireNonNull(subscriber, "subscriber");
    Attempt<Long> attempt = attempt(tool);
    if (attempt.isRefused()) {
      return CompletableFuture.completedFuture(attempt.refusal());
    }
    PendingResult<Long> result = new PendingResult<>(attempt);
    try {
      Flow.Publisher<T> publisher =
          Objects.requireNonNull(
              call.call(attempt.start()), "the call returned null instead of a publisher");
      publisher.subscribe(new GuardedSubscriber<>(subscriber, attempt, result));
    } catch (Throwable thrown) {
      result.settle(() -> attempt.threw(thrown));
    }
    return result;
  }

  /** Asks the gate of the requested tool and, if it refuses, the gates of the substitutes. */
  private <T extends @Nullable Object> Attempt<T> attempt(String tool) {
    Permit permit = registry.tryAcquire(tool);
    if (permit.isGranted() || router == null) {
      return new Attempt<>(tool, permit);
    }
    // A substitute was available when the router looked, but its gate may refuse now: another call
    // took the probe, or the breaker has just tripped. The router then finds the next substitute.
    for (String substitute = router.substitute(tool);
        substitute != null;
        substitute = router.substitute(tool)) {
      Permit ofSubstitute = registry.tryAcquire(substitute);
      if (ofSubstitute.isGranted()) {
        return new Attempt<>(substitute, ofSubstitute);
      }
    }
    return new Attempt<>(tool, permit); // ROUTE-4
  }

  /** One call, from the gate's answer to the report. */
  final class Attempt<T extends @Nullable Object> implements AutoCloseable {
    private final String tool;
    private final Permit permit;
    private long startNanos;

    Attempt(String tool, Permit permit) {
      this.tool = tool;
      this.permit = permit;
    }

    boolean isRefused() {
      return !permit.isGranted();
    }

    ToolResult<T> refusal() {
      return new ToolResult.Refused<>(tool, permit.retryAfter());
    }

    /** Starts to measure the duration. Returns the name of the tool to call. */
    String start() {
      startNanos = registry.nanoTime();
      return tool;
    }

    /** Cancels the permit. The call has no outcome, unless the permit has already reported. */
    @Override
    public void close() {
      permit.close();
    }

    /** Reports the result of a call that returned a value, and returns the result. */
    ToolResult<T> returned(T value) {
      PendingValue.refuse(tool, value);
      FinishedCall call = new FinishedCall(tool, value, null, elapsed());
      if (report(call) != Verdict.FAILURE) {
        return new ToolResult.Completed<>(tool, value, call.duration());
      }
      String error = ErrorText.of(value, maxErrorLength);
      return new ToolResult.Failed<>(tool, error, null, value, call.duration());
    }

    /**
     * Reports the result of a call that threw in the caller's own thread, and returns the result.
     * Throws if there is no result.
     */
    ToolResult<T> threw(Throwable thrown) {
      boolean interrupted =
          Thread.currentThread().isInterrupted() || thrown instanceof InterruptedException;
      if (interrupted && !(withoutWrappers(thrown) instanceof Error)) {
        Thread.currentThread().interrupt();
        throw cancellation(thrown);
      }
      return ended(thrown);
    }

    /**
     * Reports the result of a call that ended with an exception in any thread, and returns the
     * result. Throws if there is no result.
     */
    ToolResult<T> ended(Throwable exception) {
      Throwable thrown = withoutWrappers(exception);
      if (thrown instanceof CancellationException || thrown instanceof InterruptedException) {
        throw cancellation(thrown);
      }
      FinishedCall call = new FinishedCall(tool, null, thrown, elapsed());
      if (thrown instanceof Error error) {
        permit.failure(call.duration());
        throw error;
      }
      report(call);
      String error = ErrorText.of(thrown, maxErrorLength);
      return new ToolResult.Failed<>(tool, error, thrown, null, call.duration());
    }

    /** Returns the original exception. Each wait for another thread may have added a wrapper. */
    private static Throwable withoutWrappers(Throwable exception) {
      boolean isWrapper =
          exception instanceof CompletionException || exception instanceof ExecutionException;
      Throwable cause = isWrapper ? exception.getCause() : null;
      return cause != null ? withoutWrappers(cause) : exception;
    }

    private Verdict report(FinishedCall call) {
      Verdict decided =
          Objects.requireNonNull(verdict.apply(call), "the verdict function returned null");
      if (decided == Verdict.SUCCESS) {
        permit.success(call.duration());
      } else if (decided == Verdict.FAILURE) {
        permit.failure(call.duration());
      } else {
        permit.cancel();
      }
      return decided;
    }

    private CancellationException cancellation(Throwable thrown) {
      if (thrown instanceof CancellationException cancellation) {
        return cancellation;
      }
      CancellationException cancellation =
          new CancellationException("the call of " + tool + " was interrupted");
      cancellation.initCause(thrown);
      return cancellation;
    }

    private Duration elapsed() {
      return Duration.ofNanos(Math.max(0, registry.nanoTime() - startNanos));
    }
  }
}

package dev.toolhealth.dispatch;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call that ends later. A tool that reports and a caller who gives up race for the
 * permit, and the permit accepts only the first.
 *
 * <p>The health is up to date before anybody can see this future's completion. The permit is
 * therefore closed before the completion and not in a dependent action. A {@link CompletableFuture}
 * runs its latest action first, so a caller's retry would find the slot of its own probe still
 * taken.
 */
final class PendingResult<T extends @Nullable Object> extends CompletableFuture<ToolResult<T>> {
  private final ToolDispatcher.Attempt<T> attempt;

  PendingResult(ToolDispatcher.Attempt<T> attempt) {
    this.attempt = attempt;
  }

  /** Runs an action once the tool, the caller or anybody else has completed this future. */
  @SuppressWarnings("FutureReturnValueIgnored") // the action stops the tool; nobody has to wait
  void onEnd(Runnable action) {
    whenComplete(
        (result, thrown) -> {
          attempt.close(); // for the ways of completion without an override below
          action.run();
        });
  }

  /** Completes this future with the tool's result. Has no effect if the caller has given up. */
  void settle(Supplier<ToolResult<T>> outcome) {
    settle(outcome, () -> {});
  }

  /** Computes the result, runs an action, and then completes this future with the result. */
  void settle(Supplier<ToolResult<T>> outcome, Runnable beforeCompletion) {
    if (isDone()) {
      beforeCompletion.run(); // the caller has given up, so there is nothing to decide
      return;
    }
    ToolResult<T> result = null;
    Throwable failure = null;
    try (attempt) {
      result = outcome.get();
    } catch (Throwable thrown) {
      failure = thrown;
    }
    try {
      beforeCompletion.run();
    } finally {
      if (failure != null) {
        super.completeExceptionally(failure);
      } else {
        super.complete(result);
      }
    }
  }

  @Override
  public boolean complete(ToolResult<T> value) {
    attempt.close();
    return super.complete(value);
  }

  @Override
  public boolean completeExceptionally(Throwable thrown) {
    attempt.close();
    return super.completeExceptionally(thrown);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    attempt.close();
    return super.cancel(mayInterruptIfRunning);
  }
}

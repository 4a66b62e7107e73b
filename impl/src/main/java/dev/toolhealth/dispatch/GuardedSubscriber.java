package dev.toolhealth.dispatch;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber that passes on the signals of a stream and records the outcome when the stream ends
 * (GATE-6). The outcome is recorded before the last signal is passed on, and the result is
 * completed after that signal.
 *
 * <p>Publishers may be faulty. A null error counts as a failure, and signals after the end are
 * dropped.
 */
final class GuardedSubscriber<T> implements Flow.Subscriber<T> {
  private final Flow.Subscriber<? super T> downstream;
  private final ToolDispatcher.Attempt<Long> attempt;
  private final PendingResult<Long> result;
  private volatile Flow.@Nullable Subscription upstream;

  /** True once no more signals are passed on: the stream has ended, or has begun too late. */
  private volatile boolean isOver;

  /** The number of items. Signals come one at a time, so no two threads write at once. */
  private long items;

  GuardedSubscriber(
      Flow.Subscriber<? super T> downstream,
      ToolDispatcher.Attempt<Long> attempt,
      PendingResult<Long> result) {
    this.downstream = downstream;
    this.attempt = attempt;
    this.result = result;
    result.onEnd(
        () -> {
          Flow.Subscription running = upstream;
          if (running != null) {
            running.cancel(); // has no effect on a stream that has ended
          }
        });
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    if (upstream != null) {
      subscription.cancel(); // a second subscription, which the protocol forbids
      return;
    }
    upstream = Objects.requireNonNull(subscription, "subscription");
    if (result.isDone()) {
      isOver = true; // the caller gave up before the stream began
      subscription.cancel();
      return;
    }
    toSubscriber(() -> downstream.onSubscribe(new Guard(subscription)));
  }

  @Override
  public void onNext(T item) {
    if (!isOver) {
      items++;
      toSubscriber(() -> downstream.onNext(item));
    }
  }

  @Override
  public void onError(Throwable thrown) {
    Throwable error =
        Objects.requireNonNullElseGet(
            thrown,
            () -> new NullPointerException("the publisher signalled an error that is null"));
    end(() -> attempt.ended(error), () -> downstream.onError(error));
  }

  @Override
  public void onComplete() {
    end(() -> attempt.returned(items), downstream::onComplete);
  }

  private void end(Supplier<ToolResult<Long>> outcome, Runnable lastSignal) {
    if (!isOver) {
      isOver = true;
      result.settle(outcome, lastSignal);
    }
  }

  /** Passes on a signal. A subscriber that throws says nothing about the tool: no outcome. */
  private void toSubscriber(Runnable signal) {
    try {
      signal.run();
    } catch (Throwable thrown) {
      result.completeExceptionally(thrown);
      throw thrown;
    }
  }

  /** The subscription of the guarded subscriber. */
  private final class Guard implements Flow.Subscription {
    private final Flow.Subscription subscription;

    Guard(Flow.Subscription subscription) {
      this.subscription = subscription;
    }

    @Override
    public void request(long n) {
      if (n <= 0) {
        attempt.close(); // the error to come is the subscriber's and not the tool's
      }
      subscription.request(n);
    }

    @Override
    public void cancel() {
      if (!isOver) { // a subscriber may cancel while it receives the last signal
        result.cancel(false); // also cancels the subscription
      }
    }
  }
}

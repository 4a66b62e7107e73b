package dev.toolhealth.dispatch;

import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber that passes on all signals and records the outcome of the stream when it ends
 * (GATE-6). The outcome is recorded before the last signal is passed on, and the result is
 * completed after that signal.
 */
final class GuardedSubscriber<T> implements Flow.Subscriber<T> {
  private final Flow.Subscriber<? super T> downstream;
  private final ToolDispatcher.Attempt<Long> attempt;
  private final PendingResult<Long> result;
  private volatile Flow.@Nullable Subscription upstream;

  /** The signals of a stream come one at a time, so no two threads write this at once. */
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
    upstream = subscription;
    if (result.isDone()) {
      subscription.cancel(); // the caller gave up before the stream began
      return;
    }
    toSubscriber(() -> downstream.onSubscribe(new Guard(subscription)));
  }

  @Override
  public void onNext(T item) {
    items++;
    toSubscriber(() -> downstream.onNext(item));
  }

  @Override
  public void onError(Throwable thrown) {
    result.settle(() -> attempt.ended(thrown), () -> downstream.onError(thrown));
  }

  @Override
  public void onComplete() {
    result.settle(() -> attempt.returned(items), downstream::onComplete);
  }

  /** A subscriber that throws says nothing about the tool: the stream is given up. */
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
        attempt.close(); // the error that follows is the subscriber's and not the tool's
      }
      subscription.request(n);
    }

    @Override
    public void cancel() {
      result.cancel(false); // also cancels the subscription
    }
  }
}

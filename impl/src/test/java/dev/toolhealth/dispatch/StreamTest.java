package dev.toolhealth.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.CircuitState;
import dev.toolhealth.ManualClock;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.ToolResult.Completed;
import dev.toolhealth.dispatch.ToolResult.Failed;
import dev.toolhealth.dispatch.ToolResult.Refused;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** GATE-6 for streams: the outcome is recorded when the stream ends. Times are milliseconds. */
class StreamTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry = ToolHealthRegistry.builder().nanoClock(clock).build();
  private final ToolDispatcher dispatcher = new ToolDispatcher(registry);
  private final Source source = new Source();
  private final Sink sink = new Sink();

  private void at(long millis) {
    clock.set(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private CompletableFuture<ToolResult<Long>> stream() {
    return dispatcher.dispatchStream("search", tool -> source, sink);
  }

  private long total() {
    return registry.snapshot("search").total();
  }

  private CircuitState state() {
    return registry.snapshot("search").circuitState();
  }

  /** Trips the breaker and lets the cooldown elapse, so that the next call is the probe. */
  private void makeNextCallTheProbe() {
    for (int i = 0; i < 3; i++) {
      registry.recordFailureNanos("search", 1);
    }
    at(30_000);
  }

  @Test
  void completionIsASuccess() {
    at(20);
    CompletableFuture<ToolResult<Long>> result = stream();
    source.send("a");
    source.send("b");
    assertThat(total()).isZero();
    assertThat(result).isNotDone();
    at(60);
    source.complete();
    assertThat(result).isCompletedWithValue(new Completed<>("search", 2L, Duration.ofMillis(40)));
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
    assertThat(registry.snapshot("search").totalDuration()).isEqualTo(Duration.ofMillis(40));
    assertThat(sink.signals).containsExactly("subscribed", "a", "b", "complete");
  }

  /** As reported: a server that broke off halfway never tripped the breaker. */
  @Test
  void anErrorHalfwayIsAFailure() {
    IOException reset = new IOException("connection reset");
    for (int i = 0; i < 3; i++) {
      Source broken = new Source();
      CompletableFuture<ToolResult<Long>> result =
          dispatcher.dispatchStream("search", tool -> broken, new Sink());
      broken.send("a");
      broken.fail(reset);
      assertThat(result)
          .isCompletedWithValue(
              new Failed<Long>("search", "connection reset", reset, null, Duration.ZERO));
    }
    assertThat(registry.snapshot("search").failures()).isEqualTo(3);
    assertThat(state()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void aProbeIsDecidedByTheEndOfTheStream() {
    makeNextCallTheProbe();
    CompletableFuture<ToolResult<Long>> result = stream();
    source.send("a");
    assertThat(state()).isEqualTo(CircuitState.HALF_OPEN);
    source.fail(new IOException("connection reset"));
    assertThat(state()).isEqualTo(CircuitState.OPEN);
    assertThat(result).isDone();
  }

  /** A subscriber that needs no more items says nothing about the tool. */
  @Test
  void cancellationByTheSubscriberIsNoOutcome() {
    makeNextCallTheProbe();
    CompletableFuture<ToolResult<Long>> result = stream();
    source.send("a");
    sink.subscription().cancel();
    assertThat(source.isCancelled).isTrue();
    assertThatExceptionOfType(CancellationException.class).isThrownBy(result::join);
    assertThat(registry.isToolAvailable("search")).isTrue();
    source.complete(); // a signal that was already on its way
    assertThat(total()).isEqualTo(3);
    assertThat(state()).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void cancellationOfTheFutureCancelsTheSubscription() {
    makeNextCallTheProbe();
    CompletableFuture<ToolResult<Long>> result = stream();
    assertThat(result.cancel(true)).isTrue();
    assertThat(source.isCancelled).isTrue();
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total()).isEqualTo(3);
  }

  /** Some publishers call onSubscribe later, in another thread. */
  @Test
  void aStreamThatBeginsAfterItsCallerGaveUpIsCancelledAtOnce() {
    List<Flow.Subscriber<? super String>> waiting = new ArrayList<>();
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream("search", tool -> waiting::add, sink);
    result.cancel(true);
    source.subscribe(waiting.get(0));
    assertThat(source.isCancelled).isTrue();
    assertThat(sink.signals).isEmpty();
    assertThat(total()).isZero();
  }

  /** The lease ends a probe whose subscriber never requests anything (LEASE-1). */
  @Test
  void aSubscriberThatNeverRequestsIsEndedByTheLease() {
    makeNextCallTheProbe();
    CompletableFuture<ToolResult<Long>> result = stream();
    assertThat(source.requested).isZero();
    assertThat(registry.isToolAvailable("search")).isFalse();
    at(60_000);
    assertThat(state()).isEqualTo(CircuitState.OPEN);
    at(90_000);
    assertThat(registry.tryAcquire("search").isGranted()).isTrue();
    source.complete(); // too late: another probe is running (PERMIT-2)
    assertThat(result.join()).isInstanceOf(Completed.class);
    assertThat(state()).isEqualTo(CircuitState.HALF_OPEN);
  }

  @Test
  void demandIsPassedOn() {
    CompletableFuture<ToolResult<Long>> result = stream();
    sink.subscription().request(7);
    assertThat(source.requested).isEqualTo(7);
    assertThat(result).isNotDone();
  }

  /** The publisher's error is the subscriber's own fault. */
  @Test
  void anIllegalRequestIsNoOutcome() {
    makeNextCallTheProbe();
    CompletableFuture<ToolResult<Long>> result = stream();
    sink.subscription().request(0);
    assertThat(source.requested).isZero();
    source.fail(new IllegalArgumentException("request of 0"));
    assertThat(result.join().text()).isEqualTo("request of 0");
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void aSubscriberThatThrowsIsNoOutcome() {
    makeNextCallTheProbe();
    CompletableFuture<ToolResult<Long>> result = stream();
    sink.failure = new IllegalStateException("sink");
    assertThatThrownBy(() -> source.send("a")).isSameAs(sink.failure);
    assertThat(source.isCancelled).isTrue();
    assertThatThrownBy(result::join).hasCause(sink.failure);
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total()).isEqualTo(3);
  }

  @Test
  void aSubscriberThatThrowsAtTheBeginningIsNoOutcome() {
    makeNextCallTheProbe();
    sink.failure = new IllegalStateException("sink");
    CompletableFuture<ToolResult<Long>> result = stream();
    assertThat(source.isCancelled).isTrue();
    assertThatThrownBy(result::join).hasCause(sink.failure);
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total()).isEqualTo(3);
  }

  /** All items have arrived, so the stream was a success. */
  @Test
  void aSubscriberThatThrowsAtTheEndStillGetsItsResult() {
    CompletableFuture<ToolResult<Long>> result = stream();
    sink.failure = new IllegalStateException("sink");
    assertThatThrownBy(source::complete).isSameAs(sink.failure);
    assertThat(result.join()).isInstanceOf(Completed.class);
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
  }

  @Test
  void aRefusalSubscribesNobody() {
    makeNextCallTheProbe();
    at(10_000);
    CompletableFuture<ToolResult<Long>> result = stream();
    assertThat(result).isCompletedWithValueMatching(Refused.class::isInstance);
    assertThat(result.join().text())
        .isEqualTo("tool temporarily unavailable: circuit breaker open");
    assertThat(sink.signals).isEmpty();
    assertThat(source.subscriber).isNull();
  }

  @Test
  void aCallThatThrowsSubscribesNobodyAndIsAFailure() {
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream(
            "search",
            tool -> {
              throw new IOException("no route");
            },
            sink);
    assertThat(result.join().text()).isEqualTo("no route");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
    assertThat(sink.signals).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void aCallWithoutAStreamIsAFailure() {
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream("search", tool -> null, sink);
    assertThat(result.join().text()).isEqualTo("the call returned null instead of a publisher");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** GATE-5 for a cancellation on the tool's side of the stream. */
  @Test
  void aStreamThatEndsByCancellationHasNoOutcome() {
    CompletableFuture<ToolResult<Long>> result = stream();
    source.fail(new CancellationException("stop"));
    assertThatExceptionOfType(CancellationException.class).isThrownBy(result::join);
    assertThat(sink.signals).containsExactly("subscribed", "CancellationException");
    assertThat(total()).isZero();
  }

  /** The outcome is counted before the subscriber or a dependent of the result can look. */
  @Test
  void theHealthIsUpToDateBeforeTheEndIsSeen() {
    List<Long> seen = new ArrayList<>();
    sink.atTheEnd = () -> seen.add(total());
    CompletableFuture<?> after =
        stream()
            .thenRun(
                () -> {
                  assertThat(sink.signals).contains("complete");
                  seen.add(total());
                });
    source.complete();
    after.join();
    assertThat(seen).containsExactly(1L, 1L);
  }

  @Test
  void aVerdictIsAskedAtTheEndOfTheStream() {
    ToolDispatcher strict =
        dispatcher.withVerdict(
            call -> Long.valueOf(0).equals(call.value()) ? Verdict.FAILURE : Verdict.SUCCESS);
    CompletableFuture<ToolResult<Long>> result =
        strict.dispatchStream("search", tool -> source, sink);
    source.complete();
    assertThat(result.join()).isInstanceOf(Failed.class);
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** The protocol allows one subscription. The first subscription stays in force. */
  @Test
  void aSecondSubscriptionIsCancelled() {
    CompletableFuture<ToolResult<Long>> result = stream();
    Flow.Subscriber<? super String> guarded = source.subscriber();
    Source second = new Source();
    second.subscribe(guarded);
    assertThat(second.isCancelled).isTrue();
    assertThat(source.isCancelled).isFalse();
    assertThat(sink.signals).containsExactly("subscribed");
    assertThat(result).isNotDone();
  }

  /** Many subscribers release their subscription when they receive the last signal. */
  @Test
  void aSubscriberThatCancelsAtTheEndStillGetsItsResult() {
    CompletableFuture<ToolResult<Long>> result = stream();
    sink.atTheEnd = () -> sink.subscription().cancel();
    source.complete();
    assertThat(result).isCompletedWithValueMatching(Completed.class::isInstance);
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void anErrorThatIsNullIsAFailure() {
    CompletableFuture<ToolResult<Long>> result = stream();
    source.fail(null);
    assertThat(result.join()).isInstanceOf(Failed.class);
    assertThat(result.join().text()).isEqualTo("the publisher signalled an error that is null");
    assertThat(sink.signals).containsExactly("subscribed", "NullPointerException");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void aSubscriptionThatIsNullIsAFailure() {
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream(
            "search", tool -> subscriber -> subscriber.onSubscribe(null), sink);
    assertThat(result).isCompletedWithValueMatching(done -> done.text().equals("subscription"));
    assertThat(sink.signals).isEmpty();
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** A subscriber must not receive a signal before onSubscribe. */
  @Test
  void aSubscriberThatWasNeverSubscribedReceivesNoSignals() {
    List<Flow.Subscriber<? super String>> waiting = new ArrayList<>();
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream("search", tool -> waiting::add, sink);
    result.cancel(true);
    source.subscribe(waiting.get(0));
    source.send("a"); // a publisher that ignores cancellation
    source.complete();
    assertThat(sink.signals).isEmpty();
    assertThat(total()).isZero();
  }

  /** A faulty publisher neither records twice nor reaches the subscriber after the end. */
  @Test
  void signalsAfterTheEndAreDropped() {
    List<FinishedCall> asked = new ArrayList<>();
    ToolDispatcher watching =
        dispatcher.withVerdict(
            call -> {
              asked.add(call);
              return call.defaultVerdict();
            });
    CompletableFuture<ToolResult<Long>> result =
        watching.dispatchStream("search", tool -> source, sink);
    source.complete();
    source.send("late");
    source.fail(new IOException("late"));
    source.complete();
    assertThat(result.join().text()).isEqualTo("0");
    assertThat(sink.signals).containsExactly("subscribed", "complete");
    assertThat(asked).hasSize(1);
    assertThat(total()).isEqualTo(1);
  }

  /** The stream was given up, so there is nothing to decide. */
  @Test
  void aVerdictIsNotAskedForACancelledStream() {
    ToolDispatcher strict =
        dispatcher.withVerdict(
            call -> {
              throw new AssertionError("asked about " + call);
            });
    CompletableFuture<ToolResult<Long>> result =
        strict.dispatchStream("search", tool -> source, sink);
    sink.subscription().cancel();
    source.complete();
    assertThat(result).isCancelled();
    assertThat(sink.signals).containsExactly("subscribed", "complete");
  }

  @Test
  void aStreamThatEndsWhileItIsSubscribedIsRecordedOnce() {
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream(
            "search",
            tool ->
                subscriber -> {
                  source.subscribe(subscriber);
                  source.send("a");
                  source.complete();
                  throw new IllegalStateException("after the end");
                },
            sink);
    assertThat(result.join().text()).isEqualTo("1");
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
    assertThat(total()).isEqualTo(1);
  }

  @Test
  void aSubscriberThatCancelsWhileItReceivesASignalIsNoOutcome() {
    for (boolean atOnce : new boolean[] {true, false}) {
      Source each = new Source();
      Sink fickle = new Sink();
      fickle.cancelsAtOnce = atOnce;
      fickle.cancelsAtAnItem = true;
      CompletableFuture<ToolResult<Long>> result =
          dispatcher.dispatchStream("search", tool -> each, fickle);
      each.send("a");
      each.fail(new IOException("a publisher that ignores cancellation"));
      assertThat(each.isCancelled).isTrue();
      assertThat(result).isCancelled();
    }
    assertThat(total()).isZero();
  }

  /** The protocol forbids a stream to end before it begins, but the failure still counts. */
  @Test
  void anErrorBeforeTheSubscriptionIsAFailure() {
    CompletableFuture<ToolResult<Long>> result =
        dispatcher.<String>dispatchStream(
            "search", tool -> subscriber -> subscriber.onError(new IOException("no route")), sink);
    assertThat(result.join().text()).isEqualTo("no route");
    assertThat(sink.signals).containsExactly("IOException");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** The JDK's publisher signals in threads of its own. */
  @Test
  void theJdksPublisherIsGuarded() throws Exception {
    Sink eager = new Sink();
    eager.demand = Long.MAX_VALUE;
    CompletableFuture<ToolResult<Long>> result;
    try (SubmissionPublisher<String> publisher = new SubmissionPublisher<>()) {
      result = dispatcher.dispatchStream("search", tool -> publisher, eager);
      for (int i = 0; i < 1_000; i++) {
        publisher.submit("item");
      }
    }
    assertThat(result.get(1, TimeUnit.MINUTES)).isInstanceOf(Completed.class);
    assertThat(result.join().text()).isEqualTo("1000");
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
  }

  /** The stream and its caller race for the permit. One of them always takes it. */
  @Test
  void aRaceOfTheEndWithACancellationStrandsNoProbe() {
    makeNextCallTheProbe();
    long millis = 30_000;
    for (int round = 0; round < 2_000; round++) {
      Source each = new Source();
      CompletableFuture<ToolResult<Long>> result =
          dispatcher.dispatchStream("search", tool -> each, new Sink());
      CompletableFuture<Void> end =
          CompletableFuture.runAsync(() -> each.fail(new IOException("connection reset")));
      result.cancel(true);
      end.join();
      assertThat(result).isDone();
      assertThat(state()).isEqualTo(CircuitState.OPEN);
      if (!registry.isToolAvailable("search")) { // the failure was first
        assertThat(registry.snapshot("search").consecutiveFailures()).isEqualTo(total());
        millis += 30_000;
        at(millis);
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void nullsAreRefusedByName() {
    assertThatThrownBy(() -> dispatcher.dispatchStream(null, tool -> source, sink))
        .hasMessage("tool");
    assertThatThrownBy(() -> dispatcher.dispatchStream("search", null, sink)).hasMessage("call");
    assertThatThrownBy(() -> dispatcher.dispatchStream("search", tool -> source, null))
        .hasMessage("subscriber");
    assertThat(registry.toolCount()).isZero();
  }

  /** A publisher for one subscriber, with signals sent by the test. */
  private static final class Source implements Flow.Publisher<String>, Flow.Subscription {
    private Flow.@Nullable Subscriber<? super String> subscriber;
    private long requested;
    private boolean isCancelled;

    @Override
    public void subscribe(Flow.Subscriber<? super String> subscriber) {
      this.subscriber = subscriber;
      subscriber.onSubscribe(this);
    }

    private Flow.Subscriber<? super String> subscriber() {
      return java.util.Objects.requireNonNull(subscriber, "nobody has subscribed");
    }

    void send(String item) {
      subscriber().onNext(item);
    }

    void complete() {
      subscriber().onComplete();
    }

    void fail(Throwable thrown) {
      subscriber().onError(thrown);
    }

    @Override
    public void request(long n) {
      requested += n;
    }

    @Override
    public void cancel() {
      isCancelled = true;
    }
  }

  /** A subscriber that notes the signals, with demand and failures set by the test. */
  private static final class Sink implements Flow.Subscriber<String> {
    private final List<String> signals = new ArrayList<>();
    private Flow.@Nullable Subscription subscription;
    private @Nullable RuntimeException failure;
    private Runnable atTheEnd = () -> {};
    private long demand;
    private boolean cancelsAtOnce;
    private boolean cancelsAtAnItem;

    Flow.Subscription subscription() {
      return java.util.Objects.requireNonNull(subscription, "not subscribed");
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      note("subscribed");
      if (demand > 0) {
        subscription.request(demand);
      }
      if (cancelsAtOnce) {
        subscription.cancel();
      }
    }

    @Override
    public void onNext(String item) {
      note(item);
      if (cancelsAtAnItem) {
        subscription().cancel();
      }
    }

    @Override
    public void onError(Throwable thrown) {
      note(thrown.getClass().getSimpleName());
      atTheEnd.run();
    }

    @Override
    public void onComplete() {
      note("complete");
      atTheEnd.run();
    }

    private void note(String signal) {
      if (failure != null) {
        throw failure;
      }
      signals.add(signal);
    }
  }
}

package dev.toolhealth.examples.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.CircuitState;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.dispatch.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

@Timeout(60) // a stream that never ends must fail and not hang
class StreamGuardTest {
  private final IllegalStateException brokenOff = new IllegalStateException("broken off");
  private final AtomicLong clock = new AtomicLong();
  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder().nanoClock(clock::get).build();
  private final StreamGuard guard = new StreamGuard(registry);
  private final AtomicInteger opened = new AtomicInteger();
  private final TestPublisher<String> source = TestPublisher.create();

  /** A guarded stream whose signals the test sends. */
  private final Flux<String> news = guarded(source.flux());

  private Flux<String> guarded(Flux<String> stream) {
    return guard.guard(
        "news",
        () -> {
          opened.incrementAndGet();
          return stream;
        });
  }

  private ToolSnapshot snapshot() {
    return registry.snapshot("news");
  }

  private void after(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private void trip() {
    for (int i = 0; i < 3; i++) {
      registry.recordFailureNanos("news", 1);
    }
  }

  private static void assertRefused(Flux<String> stream) {
    StepVerifier.create(stream).expectNext(ToolResult.Refused.TEXT).verifyComplete();
  }

  @Test
  void completionIsASuccessThatLastedFromTheCallToTheEnd() {
    StepVerifier.create(news)
        .then(() -> after(Duration.ofSeconds(1)))
        .then(() -> source.next("moon"))
        .expectNext("moon")
        .then(() -> assertThat(snapshot().total()).as("while the stream runs").isZero())
        .then(() -> after(Duration.ofSeconds(2)))
        .then(source::complete)
        .verifyComplete();
    assertThat(snapshot().successes()).isEqualTo(1);
    assertThat(snapshot().failures()).isZero();
    assertThat(snapshot().totalDuration()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void threeErrorsHalfwayTripTheBreaker() {
    for (int i = 1; i <= 3; i++) {
      assertThat(snapshot().circuitState()).isEqualTo(CircuitState.CLOSED);
      StepVerifier.create(guarded(Flux.just("moon").concatWith(Flux.error(brokenOff))))
          .then(() -> after(Duration.ofSeconds(1)))
          .expectNext("moon")
          .verifyErrorSatisfies(error -> assertThat(error).isSameAs(brokenOff));
      assertThat(snapshot().failures()).isEqualTo(i);
    }
    assertThat(snapshot().circuitState()).isEqualTo(CircuitState.OPEN);
    assertRefused(news);
    assertThat(opened).as("a refused stream is not opened").hasValue(3);
    assertThat(snapshot().total()).isEqualTo(3);
    assertThat(snapshot().successes()).isZero();
  }

  @Test
  void theDurationOfAFailureRunsToTheError() {
    StepVerifier.create(news)
        .then(() -> after(Duration.ofSeconds(3)))
        .then(() -> source.error(brokenOff))
        .verifyError();
    assertThat(snapshot().totalDuration()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void aStreamThatCannotBeOpenedIsAFailure() {
    Flux<String> closed =
        guard.guard(
            "news",
            () -> {
              throw brokenOff;
            });
    StepVerifier.create(closed)
        .verifyErrorSatisfies(error -> assertThat(error).isSameAs(brokenOff));
    assertThat(snapshot().failures()).isEqualTo(1);
  }

  @Test
  void aSubscriberThatCancelsIsNoOutcome() {
    StepVerifier.create(news)
        .then(() -> source.next("moon"))
        .expectNext("moon")
        .thenCancel()
        .verify();
    source.assertCancelled();
    assertThat(snapshot().total()).isZero();
  }

  @Test
  void aSubscriberThatHasEnoughOrThrowsIsNoOutcome() {
    StepVerifier.create(guarded(Flux.just("moon", "mars")).take(1))
        .expectNext("moon")
        .verifyComplete();
    StepVerifier.create(guarded(Flux.just("moon")).map(Integer::parseInt))
        .verifyError(NumberFormatException.class);
    assertThat(opened).hasValue(2);
    assertThat(snapshot().total()).isZero();
  }

  @Test
  void aStreamThatIsCancelledOrInterruptedIsNoOutcome() {
    for (Throwable thrown :
        List.of(
            new CancellationException("stop"),
            new InterruptedException("stop"),
            Exceptions.propagate(new InterruptedException("stop")))) {
      StepVerifier.create(guarded(Flux.error(thrown))).verifyError();
    }
    assertThat(snapshot().total()).isZero();
    StepVerifier.create(guarded(Flux.error(Exceptions.propagate(new IOException("down")))))
        .verifyError();
    assertThat(snapshot().failures()).isEqualTo(1);
  }

  /** The stream never begins. The lease ends the probe (LEASE-1). */
  @Test
  void aSubscriberThatNeverRequestsIsEndedByTheLease() {
    trip();
    after(Duration.ofSeconds(30));
    StepVerifier.create(guarded(Flux.just("moon")), 0)
        .expectSubscription()
        .then(() -> assertThat(snapshot().circuitState()).isEqualTo(CircuitState.HALF_OPEN))
        .then(() -> after(Duration.ofSeconds(30).minusNanos(1)))
        .then(() -> assertThat(snapshot().circuitState()).isEqualTo(CircuitState.HALF_OPEN))
        .then(() -> after(Duration.ofNanos(1)))
        .then(() -> assertThat(snapshot().circuitState()).isEqualTo(CircuitState.OPEN))
        .then(() -> after(Duration.ofSeconds(30).minusNanos(1)))
        .then(() -> assertRefused(news))
        .then(() -> after(Duration.ofNanos(1)))
        .then(() -> assertThat(registry.tryAcquire("news").isGranted()).isTrue())
        .thenRequest(1)
        .expectNext("moon")
        .verifyComplete();
    assertThat(snapshot().successes()).as("the late success is counted").isEqualTo(1);
    assertThat(snapshot().circuitState())
        .as("and decides nothing")
        .isEqualTo(CircuitState.HALF_OPEN);
  }

  @Test
  void aProbeThatCompletesClosesTheBreaker() {
    trip();
    after(Duration.ofSeconds(30).minusNanos(1));
    assertRefused(news);
    after(Duration.ofNanos(1));
    StepVerifier.create(news)
        .then(() -> source.next("moon"))
        .expectNext("moon")
        .then(() -> assertRefused(news))
        .then(source::complete)
        .verifyComplete();
    assertThat(opened).hasValue(1);
    assertThat(snapshot().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void aProbeThatBreaksOffOpensTheBreaker() {
    trip();
    after(Duration.ofSeconds(30));
    StepVerifier.create(news)
        .then(() -> source.next("moon"))
        .expectNext("moon")
        .then(() -> source.error(brokenOff))
        .verifyError();
    assertThat(snapshot().circuitState()).isEqualTo(CircuitState.OPEN);
    assertRefused(news);
  }

  @Test
  void aProbeThatIsCancelledLeavesTheProbeToTheNextCall() {
    trip();
    after(Duration.ofSeconds(30));
    StepVerifier.create(news).expectSubscription().thenCancel().verify();
    StepVerifier.create(guarded(Flux.just("moon"))).expectNext("moon").verifyComplete();
    assertThat(snapshot().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void theSubscriberFindsTheOutcomeRecorded() {
    StepVerifier.create(
            guarded(Flux.empty())
                .doOnTerminate(() -> assertThat(snapshot().successes()).isEqualTo(1)))
        .verifyComplete();
    StepVerifier.create(
            guarded(Flux.error(brokenOff))
                .doOnTerminate(() -> assertThat(snapshot().failures()).isEqualTo(1)))
        .verifyErrorSatisfies(error -> assertThat(error).isSameAs(brokenOff));
  }

  /** Operators inside the supplier belong to the tool, operators after the guard do not. */
  @Test
  void theSupplierDecidesWhatIsAnError() {
    StepVerifier.create(
            guarded(Flux.<String>error(brokenOff).onErrorResume(e -> Flux.just("none"))))
        .expectNext("none")
        .verifyComplete();
    assertThat(snapshot().successes()).isEqualTo(1);
    StepVerifier.create(guarded(Flux.<String>never().timeout(Mono.empty())))
        .verifyError(TimeoutException.class);
    assertThat(snapshot().failures()).isEqualTo(1);
    StepVerifier.create(guarded(Flux.<String>never()).timeout(Mono.empty()))
        .verifyError(TimeoutException.class);
    assertThat(snapshot().total()).isEqualTo(2);
  }

  /** GATE-4: each retry subscribes again. */
  @Test
  void eachSubscriptionIsOneCall() {
    Flux<String> failing = guarded(Flux.error(brokenOff));
    assertThat(registry.find("news")).as("before the first subscription").isEmpty();
    StepVerifier.create(failing.retry(2)).verifyError();
    assertThat(opened).hasValue(3);
    assertThat(snapshot().failures()).isEqualTo(3);
    assertRefused(failing);
  }

  @Test
  void theContextOfTheSubscriberReachesTheStream() {
    Flux<String> greeting =
        guarded(Flux.deferContextual(context -> Flux.just("for " + context.get("user"))));
    StepVerifier.create(greeting.contextWrite(context -> context.put("user", "Ada")))
        .expectNext("for Ada")
        .verifyComplete();
  }

  /** Spring AI passes on the error of a model's answer that breaks off. */
  @Test
  void aModelIsGuardedInFrontOfItsChatClient() {
    ChatModel model =
        new ChatModel() {
          @Override
          public ChatResponse call(Prompt prompt) {
            throw new AssertionError("only the stream is used");
          }

          @Override
          public Flux<ChatResponse> stream(Prompt prompt) {
            return Flux.just(response("The moon")).concatWith(Flux.error(brokenOff));
          }
        };
    ChatClient client = ChatClient.create(model);
    for (int i = 0; i < 3; i++) {
      StepVerifier.create(guard.guard("model", () -> client.prompt("Where to?").stream().content()))
          .expectNext("The moon")
          .verifyErrorSatisfies(error -> assertThat(error).isSameAs(brokenOff));
    }
    StepVerifier.create(
            guard.guard(
                "model",
                () -> client.prompt("Where to?").stream().chatResponse(),
                StreamGuardTest::response))
        .assertNext(
            response ->
                assertThat(response.getResults())
                    .extracting(result -> result.getOutput().getText())
                    .containsExactly(ToolResult.Refused.TEXT))
        .verifyComplete();
    assertThat(registry.snapshot("model").failures()).isEqualTo(3);
  }

  private static ChatResponse response(String text) {
    return new ChatResponse(List.of(new Generation(new AssistantMessage(text))));
  }
}

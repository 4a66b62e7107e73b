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
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;

/** Chapter GATE. Times are milliseconds. */
class ToolDispatcherTest {
  private final ManualClock clock = new ManualClock();
  private final ToolHealthRegistry registry = ToolHealthRegistry.builder().nanoClock(clock).build();
  private final ToolDispatcher dispatcher = new ToolDispatcher(registry);

  @AfterEach
  void leaveNoInterruptBehind() {
    Thread.interrupted();
  }

  private void at(long millis) {
    clock.set(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private ToolResult<String> succeed(String tool) {
    return dispatcher.dispatch(tool, name -> "found");
  }

  private ToolResult<String> fail(String tool) {
    return dispatcher.dispatch(
        tool,
        name -> {
          throw new IOException("no route");
        });
  }

  private void trip(String tool) {
    for (int i = 0; i < 3; i++) {
      fail(tool);
    }
    assertThat(state(tool)).isEqualTo(CircuitState.OPEN);
  }

  private CircuitState state(String tool) {
    return registry.snapshot(tool).circuitState();
  }

  private long total(String tool) {
    return registry.snapshot(tool).total();
  }

  // GATE-1

  @Test
  void aRefusalIsAnOrdinaryResult() {
    trip("search");
    at(10_000);
    ToolResult<String> refused =
        dispatcher.dispatch(
            "search",
            tool -> {
              throw new AssertionError("it was run");
            });
    assertThat(refused)
        .isEqualTo(new Refused<String>("search", java.util.Optional.of(Duration.ofSeconds(20))));
    assertThat(refused.text()).isEqualTo("tool temporarily unavailable: circuit breaker open");
    assertThat(refused.duration()).isZero();
    assertThat(total("search")).isEqualTo(3);
  }

  // GATE-2

  @Test
  void whatReturnsIsASuccess() {
    ToolResult<String> result =
        dispatcher.dispatch(
            "search",
            tool -> {
              at(20);
              return "found";
            });
    assertThat(result).isEqualTo(new Completed<>("search", "found", Duration.ofMillis(20)));
    assertThat(result.text()).isEqualTo("found");
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
    assertThat(registry.snapshot("search").totalDuration()).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void whatThrowsIsAFailureAndAnOrdinaryResult() {
    IOException noRoute = new IOException("no route");
    ToolResult<String> result =
        dispatcher.dispatch(
            "search",
            tool -> {
              at(20);
              throw noRoute;
            });
    assertThat(result)
        .isEqualTo(new Failed<String>("search", "no route", noRoute, null, Duration.ofMillis(20)));
    assertThat(result.text()).isEqualTo("no route");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
    assertThat(registry.snapshot("search").maxDuration()).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void anExceptionWithoutAMessageIsCalledByItsClass() {
    ToolResult<String> result =
        dispatcher.dispatch(
            "search",
            tool -> {
              throw new IllegalStateException();
            });
    assertThat(result.text()).isEqualTo("IllegalStateException");
  }

  @Test
  @SuppressWarnings("NullAway") // NullAway does not infer a nullable T here
  void aNullIsAValue() {
    assertThat(dispatcher.<@Nullable String>dispatch("search", tool -> null).text())
        .isEqualTo("null");
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
  }

  /** Field case C13: only the program knows which values are failures of its tools. */
  @Test
  void aValueCanBeTakenForAFailure() {
    ToolDispatcher strict =
        new ToolDispatcher(registry)
            .withVerdict(
                call -> "error".equals(call.value()) ? Verdict.FAILURE : call.defaultVerdict());
    assertThat(strict.dispatch("search", tool -> "error"))
        .isEqualTo(new Failed<>("search", "error", null, "error", Duration.ZERO));
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
    assertThat(strict.dispatch("search", tool -> "fine")).isInstanceOf(Completed.class);
  }

  /** Field case C13: a tool that answers with an error value is alive. */
  @Test
  void anErrorThatTheToolAnswersWithIsASuccessUnlessItIsTakenForAFailure() {
    for (int i = 0; i < 10; i++) {
      dispatcher.dispatch("search", tool -> "error: no such index");
    }
    assertThat(state("search")).isEqualTo(CircuitState.CLOSED);
    assertThat(registry.snapshot("search").successes()).isEqualTo(10);
    trip("search");
    at(30_000);
    dispatcher.dispatch("search", tool -> "error: no such index");
    assertThat(state("search")).isEqualTo(CircuitState.CLOSED);
  }

  /** Field case C13: bad arguments must neither open the breaker nor strand the probe. */
  @Test
  void anExceptionCanBeNoOutcomeOfTheTool() {
    ToolDispatcher lenient =
        new ToolDispatcher(registry).withVerdict(ToolDispatcherTest::withoutBadArguments);
    for (int i = 0; i < 10; i++) {
      ToolResult<String> result = badArgument(lenient);
      assertThat(result).isInstanceOf(Failed.class);
      assertThat(result.text()).isEqualTo("no such column");
    }
    assertThat(total("search")).isZero();
    trip("search");
    at(30_000);
    badArgument(lenient);
    at(30_300);
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total("search")).isEqualTo(3);
  }

  private static Verdict withoutBadArguments(FinishedCall call) {
    return call.exception() instanceof IllegalArgumentException
        ? Verdict.NO_OUTCOME
        : call.defaultVerdict();
  }

  private static ToolResult<String> badArgument(ToolDispatcher dispatcher) {
    return dispatcher.dispatch(
        "search",
        tool -> {
          throw new IllegalArgumentException("no such column");
        });
  }

  @Test
  @SuppressWarnings("NullAway") // NullAway does not infer a nullable T here
  void aNullCanBeTakenForAFailure() {
    ToolDispatcher strict =
        new ToolDispatcher(registry)
            .withVerdict(call -> call.value() == null ? Verdict.FAILURE : Verdict.SUCCESS);
    assertThat(strict.<@Nullable String>dispatch("search", tool -> null))
        .isEqualTo(new Failed<>("search", "null", null, null, Duration.ZERO));
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** Field case C13 for {@code dispatchAsync}. */
  @Test
  void anExceptionOfAStageCanBeNoOutcomeOfTheTool() {
    ToolDispatcher lenient =
        new ToolDispatcher(registry).withVerdict(ToolDispatcherTest::withoutBadArguments);
    trip("search");
    at(30_000);
    ToolResult<String> result =
        lenient
            .<String>dispatchAsync(
                "search",
                tool ->
                    CompletableFuture.failedFuture(new IllegalArgumentException("no such column")))
            .join();
    assertThat(result.text()).isEqualTo("no such column");
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total("search")).isEqualTo(3);
  }

  /** Field case C14: an Error is recorded as a failure, but never becomes a result. */
  @Test
  void anErrorIsCountedAndThrownOn() {
    trip("search");
    at(30_000);
    assertErrorIsThrownOn(() -> at(30_100));
    assertThat(registry.snapshot("search").failures()).isEqualTo(4);
    at(60_099);
    assertThat(registry.isToolAvailable("search")).isFalse();
    at(60_100);
    assertThat(registry.isToolAvailable("search")).isTrue();
  }

  /** An interrupt of the caller does not hide an Error. */
  @Test
  void anErrorInAnInterruptedThreadIsCountedAndThrownOn() {
    assertErrorIsThrownOn(Thread.currentThread()::interrupt);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  @Test
  void anErrorOfAnotherThreadIsCountedAndThrownOnInAnInterruptedThreadToo() {
    StackOverflowError overflow = new StackOverflowError();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> failWith(dispatcher, new ExecutionException(overflow)))
        .isSameAs(overflow);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  private void assertErrorIsThrownOn(Runnable meanwhile) {
    StackOverflowError overflow = new StackOverflowError();
    assertThatThrownBy(
            () ->
                dispatcher.dispatch(
                    "search",
                    tool -> {
                      meanwhile.run();
                      throw overflow;
                    }))
        .isSameAs(overflow);
  }

  // GATE-3

  /** Two names for one call: the probe of the requested name ends by its lease. */
  @Test
  void theRecordGoesByTheNameThatWasRun() {
    trip("alias");
    at(30_000);
    assertThat(registry.allowRequest("alias")).isTrue();
    registry.recordSuccessNanos("real", 1);
    assertThat(total("real")).isEqualTo(1);
    assertThat(state("alias")).isEqualTo(CircuitState.HALF_OPEN);
    at(60_000);
    assertThat(state("alias")).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void aRouterFindsASubstituteWhichIsRunAndRecorded() {
    ToolDispatcher routing =
        new ToolDispatcher(registry)
            .withRouter(new HealthRouter(registry, Map.of("web", List.of("cache"))));
    assertThat(routing.dispatch("web", tool -> tool).text()).isEqualTo("web");
    trip("web");
    ToolResult<String> result = routing.dispatch("web", tool -> tool);
    assertThat(result).isEqualTo(new Completed<>("cache", "cache", Duration.ZERO));
    assertThat(total("cache")).isEqualTo(1);
    trip("cache");
    assertThat(routing.dispatch("web", tool -> tool).tool()).isEqualTo("web");
    assertThat(routing.dispatch("web", tool -> tool)).isInstanceOf(Refused.class);
  }

  @Test
  void aRouterThatGoesByAnotherRegistryIsRefused() {
    HealthRouter stranger = new HealthRouter(ToolHealthRegistry.ofDefaults(), Map.of());
    assertThatThrownBy(() -> dispatcher.withRouter(stranger))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("router reads another registry but must read this dispatcher's");
  }

  /** Another call may take the substitute's probe between the router's look and the gate. */
  @Test
  void aSubstituteThatIsLostToAnotherCallIsReplacedByTheNext() {
    Runnable[] whenTheClockIsRead = {() -> {}};
    AtomicLong time = new AtomicLong();
    ToolHealthRegistry raced =
        ToolHealthRegistry.builder()
            .nanoClock(
                () -> {
                  whenTheClockIsRead[0].run();
                  return time.get();
                })
            .build();
    for (String tool : List.of("first", "second", "web")) {
      for (int i = 0; i < 3; i++) {
        raced.recordFailureNanos(tool, 1);
      }
    }
    time.set(TimeUnit.SECONDS.toNanos(30));
    assertThat(raced.allowRequest("web")).isTrue(); // its probe is running
    ToolDispatcher routing =
        new ToolDispatcher(raced)
            .withRouter(new HealthRouter(raced, Map.of("web", List.of("first", "second"))));
    List<Boolean> others = new ArrayList<>();
    int[] reads = {0}; // two by the gate of "web", then the router's: two for each substitute
    whenTheClockIsRead[0] =
        () -> {
          if (++reads[0] == 6) {
            others.add(raced.allowRequest("first"));
          }
        };
    ToolResult<String> result = routing.dispatch("web", tool -> tool);
    assertThat(others).containsExactly(true);
    assertThat(result.text()).isEqualTo("second");
  }

  // GATE-4

  @Test
  void everyAttemptAsksAndRecordsAnew() {
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(fail("search")).isInstanceOf(Failed.class);
    }
    assertThat(fail("search")).isInstanceOf(Refused.class);
    assertThat(registry.snapshot("search").failures()).isEqualTo(3);
  }

  // GATE-5

  /** Field case C14: a user who presses stop does not open the breaker for everyone. */
  @Test
  void aCancelledCallHasNoOutcome() {
    CancellationException stop = new CancellationException("stop");
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(
              () ->
                  dispatcher.dispatch(
                      "search",
                      tool -> {
                        throw stop;
                      }))
          .isSameAs(stop);
    }
    assertThat(total("search")).isZero();
    assertThat(registry.snapshot("search").ewma()).isEqualTo(1_000_000);
    assertThat(state("search")).isEqualTo(CircuitState.CLOSED);
  }

  /** Field case C14, for every exception that an interrupt can cause. */
  @Test
  void anInterruptedCallHasNoOutcomeAndTheInterruptIsKept() {
    assertInterrupted(
        tool -> {
          throw new InterruptedException();
        });
    assertInterrupted(
        tool -> {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted");
        });
    assertInterrupted(
        tool -> {
          Thread.currentThread().interrupt();
          throw new IOException("closed by interrupt");
        });
    assertThat(total("search")).isZero();
  }

  private void assertInterrupted(ToolCall<String> call) {
    for (int i = 0; i < 5; i++) {
      assertThatExceptionOfType(CancellationException.class)
          .isThrownBy(() -> dispatcher.dispatch("search", call))
          .withMessage("the call of search was interrupted")
          .withCauseInstanceOf(Exception.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /**
   * Field case C14: a timeout inside the tool is a failure, whatever its class. HTTP clients throw
   * {@link InterruptedIOException} for timeouts and for interrupts. After an interrupt they leave
   * the thread's interrupt status set.
   */
  @Test
  void aTimeoutOfTheToolsOwnIsAFailure() {
    for (Exception timeout :
        List.of(
            new TimeoutException("5 s"),
            new SocketTimeoutException(),
            new InterruptedIOException("timeout"))) {
      dispatcher.dispatch(
          "search",
          tool -> {
            throw timeout;
          });
    }
    assertThat(registry.snapshot("search").failures()).isEqualTo(3);
    assertThat(state("search")).isEqualTo(CircuitState.OPEN);
  }

  /** Field case C14: the next call becomes the probe. */
  @Test
  void aCancelledProbeGivesItsSlotBackAtOnce() {
    trip("search");
    at(30_000);
    assertThatExceptionOfType(CancellationException.class)
        .isThrownBy(
            () ->
                dispatcher.dispatch(
                    "search",
                    tool -> {
                      throw new CancellationException();
                    }));
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(succeed("search")).isInstanceOf(Completed.class);
    assertThat(state("search")).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void aVerdictFunctionThatThrowsStrandsNoProbe() {
    ToolDispatcher broken =
        new ToolDispatcher(registry)
            .withVerdict(
                call -> {
                  throw new IllegalStateException("verdict");
                });
    trip("search");
    at(30_000);
    assertThatThrownBy(() -> broken.dispatch("search", tool -> "found")).hasMessage("verdict");
    assertThat(registry.isToolAvailable("search")).isTrue();
    CompletableFuture<ToolResult<String>> result =
        broken.dispatchAsync("search", tool -> CompletableFuture.completedFuture("found"));
    assertThatThrownBy(result::join).hasRootCauseMessage("verdict");
    assertThat(registry.isToolAvailable("search")).isTrue();
  }

  @Test
  void aToolMayCallTools() {
    ToolResult<String> result =
        dispatcher.dispatch(
            "outer",
            outer ->
                dispatcher.dispatch("inner", inner -> "in").text()
                    + dispatcher.dispatch("outer", again -> "side").text());
    assertThat(result.text()).isEqualTo("inside");
    assertThat(total("outer")).isEqualTo(2);
    assertThat(total("inner")).isEqualTo(1);
  }

  // GATE-6

  /** As reported: an unfinished future counted as the probe's success and closed the breaker. */
  @Test
  void aPendingResultIsNoSuccess() {
    trip("search");
    at(30_000);
    assertPending(new CompletableFuture<>(), "dispatchAsync");
    assertPending(CompletableFuture.completedFuture("found"), "dispatchAsync");
    assertPending(CompletableFuture.completedStage("found"), "dispatchAsync");
    assertPending(new FutureTask<>(() -> "found"), "dispatchAsync");
    assertPending((Flow.Publisher<String>) subscriber -> {}, "dispatchStream");
    assertPending(new SubmissionPublisher<String>(Runnable::run, 1), "dispatchStream");
    assertPending((Publisher<String>) subscriber -> {}, "dispatchStream");
    class Flux implements Publisher<String> {
      @Override
      public void subscribe(Subscriber<? super String> subscriber) {}
    }
    assertPending(new Flux() {}, "dispatchStream");
    assertThat(total("search")).isEqualTo(3);
  }

  private void assertPending(Object value, String method) {
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThatThrownBy(() -> dispatcher.dispatch("search", tool -> value))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "the call of search returned a pending result (%s): "
                .formatted(value.getClass().getName()))
        .hasMessageContaining(method);
    assertThat(registry.isToolAvailable("search")).isTrue(); // the probe's slot is free again
  }

  /** A stage of a stage would be recorded when the outer stage completes. */
  @Test
  @SuppressWarnings("FutureReturnValueIgnored") // nesting futures is the mistake under test
  void aPendingValueOfAStageIsNoSuccess() {
    CompletableFuture<ToolResult<CompletableFuture<String>>> result =
        dispatcher.dispatchAsync(
            "search", tool -> CompletableFuture.completedFuture(new CompletableFuture<>()));
    assertThatThrownBy(result::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("flatten a stage of a stage with thenCompose");
    assertThat(total("search")).isZero();
  }

  // GATE-7

  /** As reported: one error message filled the model's context. */
  @Test
  void aLongErrorIsShortenedForTheModel() {
    IOException huge = new IOException("x".repeat(5_000_000));
    Failed<String> result = (Failed<String>) failWith(dispatcher, huge);
    assertThat(result.text())
        .hasSize(2_000)
        .startsWith("xxx")
        .endsWith("x ... [4998030 more characters]");
    assertThat(result.cause()).isSameAs(huge);
  }

  @Test
  void aLongValueThatIsAFailureIsShortenedForTheModel() {
    String value = "x".repeat(3_000);
    ToolDispatcher strict = new ToolDispatcher(registry).withVerdict(call -> Verdict.FAILURE);
    Failed<String> result = (Failed<String>) strict.dispatch("search", tool -> value);
    assertThat(result.text()).hasSizeLessThanOrEqualTo(2_000).endsWith(" more characters]");
    assertThat(result.value()).isSameAs(value);
  }

  @Test
  void anErrorAtTheBoundIsNotShortened() {
    ToolDispatcher short100 = dispatcher.withMaxErrorLength(100);
    String atBound = "x".repeat(100);
    assertThat(failWith(short100, new IOException(atBound)).text()).isEqualTo(atBound);
    assertThat(failWith(short100, new IOException(atBound + "x")).text())
        .isEqualTo("x".repeat(74) + " ... [27 more characters]");
  }

  /** The cut never leaves half a surrogate pair. */
  @Test
  void anErrorIsCutBetweenCodePoints() {
    ToolDispatcher short100 = dispatcher.withMaxErrorLength(100);
    for (int offset = 0; offset < 2; offset++) {
      String message = "x".repeat(offset) + "\uD83D\uDE00".repeat(100);
      String text = failWith(short100, new IOException(message)).text();
      String kept = text.substring(0, text.indexOf(" ... ["));
      assertThat(message).startsWith(kept);
      assertThat(kept.codePoints()).noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
      assertThat(text)
          .hasSizeLessThanOrEqualTo(100)
          .endsWith(" ... [%d more characters]".formatted(message.length() - kept.length()));
    }
  }

  @Test
  void theBoundOnErrorsHasALowerBound() {
    assertThatThrownBy(() -> dispatcher.withMaxErrorLength(99))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxErrorLength is 99 but must be 100 or more");
  }

  private static ToolResult<String> failWith(ToolDispatcher dispatcher, Exception exception) {
    return dispatcher.dispatch(
        "search",
        tool -> {
          throw exception;
        });
  }

  // GATE-8

  /** As reported: a server that answers "not found" is alive. */
  @Test
  void anExceptionCanBeASuccess() {
    ToolDispatcher alive =
        dispatcher.withVerdict(
            call ->
                call.exception() instanceof NoSuchElementException
                    ? Verdict.SUCCESS
                    : call.defaultVerdict());
    NoSuchElementException notFound = new NoSuchElementException("404");
    failWith(alive, new IOException("no route"));
    failWith(alive, new IOException("no route"));
    ToolResult<String> result = failWith(alive, notFound);
    assertThat(result)
        .isEqualTo(new Failed<String>("search", "404", notFound, null, Duration.ZERO));
    assertThat(registry.snapshot("search").consecutiveFailures()).isZero();
    assertThat(registry.snapshot("search").successes()).isEqualTo(1);
    trip("search");
    at(30_000);
    failWith(alive, notFound);
    assertThat(state("search")).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void aValueCanBeNoOutcome() {
    ToolDispatcher dry = dispatcher.withVerdict(call -> Verdict.NO_OUTCOME);
    trip("search");
    at(30_000);
    assertThat(dry.dispatch("search", tool -> "dry run"))
        .isEqualTo(new Completed<>("search", "dry run", Duration.ZERO));
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total("search")).isEqualTo(3);
  }

  /** The function can use the duration, for example to count slow calls as failures. */
  @Test
  void aVerdictIsGivenTheWholeCall() {
    List<FinishedCall> calls = new ArrayList<>();
    ToolDispatcher watching =
        dispatcher.withVerdict(
            call -> {
              calls.add(call);
              return call.defaultVerdict();
            });
    IOException noRoute = new IOException("no route");
    watching.dispatch(
        "search",
        tool -> {
          at(20);
          return "found";
        });
    CompletableFuture<ToolResult<String>> failed =
        watching.dispatchAsync(
            "search", tool -> CompletableFuture.failedFuture(new CompletionException(noRoute)));
    assertThat(failed.join().text()).isEqualTo("no route");
    assertThat(calls)
        .containsExactly(
            new FinishedCall("search", "found", null, Duration.ofMillis(20)),
            new FinishedCall("search", null, noRoute, Duration.ZERO));
    assertThat(calls)
        .extracting(FinishedCall::defaultVerdict)
        .containsExactly(Verdict.SUCCESS, Verdict.FAILURE);
    assertThat(List.of(Verdict.SUCCESS, Verdict.FAILURE, Verdict.NO_OUTCOME))
        .extracting(Verdict::toString)
        .containsExactly("SUCCESS", "FAILURE", "NO_OUTCOME");
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void aVerdictFunctionThatReturnsNullStrandsNoProbe() {
    ToolDispatcher broken = dispatcher.withVerdict(call -> null);
    trip("search");
    at(30_000);
    assertThatThrownBy(() -> broken.dispatch("search", tool -> "found"))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("the verdict function returned null");
    assertThat(registry.isToolAvailable("search")).isTrue();
  }

  /** The outcome of Errors and cancellations is fixed. */
  @Test
  void aVerdictIsNotAskedForErrorsAndCancellations() {
    ToolDispatcher strict =
        dispatcher.withVerdict(
            call -> {
              throw new AssertionError("asked about " + call);
            });
    assertThatThrownBy(
            () ->
                strict.dispatch(
                    "search",
                    tool -> {
                      throw new StackOverflowError();
                    }))
        .isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(() -> failWith(strict, new CancellationException()))
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> failWith(strict, new InterruptedException()))
        .isInstanceOf(CancellationException.class);
  }

  /** A call is not finished by a tool that returns after the caller gave up. */
  @Test
  void aVerdictIsNotAskedForACallThatWasGivenUp() {
    CompletableFuture<String> stubborn =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return false;
          }
        };
    List<FinishedCall> asked = new ArrayList<>();
    ToolDispatcher watching =
        dispatcher.withVerdict(
            call -> {
              asked.add(call);
              return call.defaultVerdict();
            });
    CompletableFuture<ToolResult<String>> result =
        watching.dispatchAsync("search", tool -> stubborn);
    result.cancel(true);
    stubborn.complete("found");
    assertThat(asked).isEmpty();
    assertThat(result).isCancelled();
  }

  // Stages

  @Test
  void aStageIsRecordedWhenItCompletes() {
    at(20);
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<ToolResult<String>> result = dispatcher.dispatchAsync("search", t -> stage);
    assertThat(result).isNotDone();
    assertThat(total("search")).isZero();
    at(60);
    stage.complete("found");
    assertThat(result)
        .isCompletedWithValue(new Completed<>("search", "found", Duration.ofMillis(40)));
    assertThat(registry.snapshot("search").totalDuration()).isEqualTo(Duration.ofMillis(40));
  }

  @Test
  void aStageThatFailsIsAFailureWithItsOwnException() {
    IOException noRoute = new IOException("no route");
    for (Throwable thrown :
        List.of(noRoute, new CompletionException(noRoute), new ExecutionException(noRoute))) {
      ToolResult<String> result =
          dispatcher
              .<String>dispatchAsync("search", tool -> CompletableFuture.failedFuture(thrown))
              .join();
      assertThat(result)
          .isEqualTo(new Failed<String>("search", "no route", noRoute, null, Duration.ZERO));
    }
    assertThat(registry.snapshot("search").failures()).isEqualTo(3);
  }

  /** A tool waits for another thread: the other thread's exception counts. */
  @Test
  void whatAnotherThreadHasThrownIsTakenOutOfItsWrapper() {
    ToolDispatcher strict =
        new ToolDispatcher(registry).withVerdict(ToolDispatcherTest::withoutBadArguments);
    IllegalArgumentException badArgument = new IllegalArgumentException("no such page");
    ToolResult<String> result =
        strict.dispatch(
            "search", tool -> CompletableFuture.<String>failedFuture(badArgument).get());
    assertThat(result)
        .isEqualTo(new Failed<String>("search", "no such page", badArgument, null, Duration.ZERO));
    assertThat(total("search")).isZero();
  }

  /** A task waits for another task: each wait adds a wrapper. */
  @Test
  void anExceptionIsTakenOutOfAllItsWrappers() {
    IOException noRoute = new IOException("no route");
    Throwable nested = new ExecutionException(new ExecutionException(noRoute));
    assertThat(
            dispatcher
                .<String>dispatchAsync("search", tool -> CompletableFuture.failedFuture(nested))
                .join())
        .isEqualTo(new Failed<String>("search", "no route", noRoute, null, Duration.ZERO));
    Exception stopped =
        new ExecutionException(new CompletionException(new CancellationException("stop")));
    assertThatThrownBy(() -> failWith(dispatcher, stopped))
        .isInstanceOf(CancellationException.class)
        .hasMessage("stop");
    assertThat(total("search")).isEqualTo(1);
  }

  /** Most exceptions have a cause. Only wrappers are replaced by their cause. */
  @Test
  void anExceptionWithACauseStandsForItself() {
    IOException noRoute = new IOException("no route", new InterruptedException("of another"));
    CompletionException empty = new CompletionException("nothing in it", null);
    for (Exception thrown : List.of(noRoute, empty)) {
      ToolResult<String> result =
          dispatcher.dispatch(
              "search",
              tool -> {
                throw thrown;
              });
      assertThat(result)
          .isEqualTo(
              new Failed<String>(
                  "search", String.valueOf(thrown.getMessage()), thrown, null, Duration.ZERO));
    }
    assertThat(registry.snapshot("search").failures()).isEqualTo(2);
  }

  /** An interrupt of another thread's task is no outcome either. */
  @Test
  void aStageThatWasInterruptedHasNoOutcome() {
    for (Exception interrupt :
        List.of(new InterruptedException(), new CompletionException(new InterruptedException()))) {
      CompletableFuture<ToolResult<String>> result =
          dispatcher.dispatchAsync("search", tool -> CompletableFuture.failedFuture(interrupt));
      assertThatExceptionOfType(CancellationException.class).isThrownBy(result::join);
    }
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(total("search")).isZero();
  }

  @Test
  void aStageThatCannotBeHadIsAFailure() {
    ToolResult<String> thrown =
        dispatcher
            .<String>dispatchAsync(
                "search",
                tool -> {
                  throw new IOException("no route");
                })
            .join();
    assertThat(thrown.text()).isEqualTo("no route");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  @Test
  void aRefusalNeedsNoWaiting() {
    trip("search");
    assertThat(
            dispatcher.<String>dispatchAsync(
                "search",
                tool -> {
                  throw new AssertionError("it was run");
                }))
        .isCompletedWithValueMatching(Refused.class::isInstance);
  }

  @Test
  void aStageThatIsCancelledHasNoOutcome() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<ToolResult<String>> result = dispatcher.dispatchAsync("search", t -> stage);
    stage.cancel(true);
    assertThatExceptionOfType(CancellationException.class).isThrownBy(result::join);
    assertThat(total("search")).isZero();
  }

  /** A cancellation or a timeout of the caller says nothing about the tool. */
  @Test
  void aFutureThatItsCallerCompletesHasNoOutcome() {
    trip("search");
    at(30_000);
    CompletableFuture<String> first = new CompletableFuture<>();
    dispatcher.dispatchAsync("search", tool -> first).cancel(true);
    assertThat(first).isCancelled();
    assertThat(registry.isToolAvailable("search")).isTrue();

    CompletableFuture<String> second = new CompletableFuture<>();
    dispatcher
        .dispatchAsync("search", tool -> second)
        .completeExceptionally(new TimeoutException()); // what orTimeout does
    assertThat(second).isCancelled();
    assertThat(registry.isToolAvailable("search")).isTrue();
    assertThat(total("search")).isEqualTo(3);
  }

  @Test
  void aTimeoutOfTheStagesOwnIsAFailure() {
    for (int i = 0; i < 3; i++) {
      CompletableFuture<String> stage = new CompletableFuture<>();
      CompletableFuture<ToolResult<String>> result =
          dispatcher.dispatchAsync("search", tool -> stage);
      stage.completeExceptionally(new TimeoutException("5 s"));
      assertThat(result.join().text()).isEqualTo("5 s");
    }
    assertThat(state("search")).isEqualTo(CircuitState.OPEN);
  }

  @Test
  void anErrorOfAStageIsCountedAndHandedOn() {
    StackOverflowError overflow = new StackOverflowError();
    CompletableFuture<ToolResult<String>> result =
        dispatcher.dispatchAsync("search", tool -> CompletableFuture.failedFuture(overflow));
    assertThatThrownBy(result::join).hasCause(overflow);
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** An interrupt of the thread that completes the stage does not concern the call. */
  @Test
  void anInterruptOfWhoeverCompletesTheStageIsNotTheCallers() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    CompletableFuture<ToolResult<String>> result = dispatcher.dispatchAsync("search", t -> stage);
    Thread.currentThread().interrupt();
    stage.completeExceptionally(new IOException("no route"));
    assertThat(result.join().text()).isEqualTo("no route");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  /** Without a lease, a probe without a report would block the tool for ever (LEASE-4). */
  @Test
  void aVerdictFunctionThatThrowsOverACallWithoutAStageStrandsNoProbe() {
    ToolDispatcher broken =
        new ToolDispatcher(registry)
            .withVerdict(
                call -> {
                  throw new IllegalStateException("verdict");
                });
    trip("search");
    at(30_000);
    CompletableFuture<ToolResult<String>> result =
        broken.dispatchAsync(
            "search",
            tool -> {
              throw new IOException("no route");
            });
    assertThatThrownBy(result::join).hasRootCauseMessage("verdict");
    assertThat(registry.isToolAvailable("search")).isTrue();
  }

  @Test
  void aStageThatCannotBeWaitedForIsAFailure() {
    trip("search");
    at(30_000);
    CompletableFuture<String> deaf =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> whenComplete(
              BiConsumer<? super String, ? super Throwable> action) {
            throw new UnsupportedOperationException("whenComplete");
          }
        };
    assertThat(dispatcher.dispatchAsync("search", tool -> deaf).join().text())
        .isEqualTo("whenComplete");
    assertThat(registry.snapshot("search").failures()).isEqualTo(4);
    assertThat(state("search")).isEqualTo(CircuitState.OPEN);
  }

  /** A caller who gives up and retries must not be refused because of its own probe. */
  @Test
  void whoeverLearnsThatACallWasGivenUpFindsItsProbesSlotFree() {
    trip("search");
    at(30_000);
    List<Consumer<CompletableFuture<ToolResult<String>>>> waysToGiveUp =
        List.of(
            result -> result.cancel(true),
            result -> result.completeExceptionally(new TimeoutException()), // what orTimeout does
            result -> result.complete(new Completed<>("search", "none", Duration.ZERO)));
    for (Consumer<CompletableFuture<ToolResult<String>>> giveUp : waysToGiveUp) {
      List<Boolean> seen = new ArrayList<>();
      CompletableFuture<ToolResult<String>> result =
          dispatcher.dispatchAsync("search", tool -> new CompletableFuture<>());
      CompletableFuture<?> next =
          result.whenComplete((done, thrown) -> seen.add(registry.isToolAvailable("search")));
      giveUp.accept(result);
      assertThat(next).isDone();
      assertThat(seen).containsExactly(true);
    }
    assertThat(total("search")).isEqualTo(3);
  }

  @Test
  void aStageWhoseFutureTheCallerCompletesIsCancelled() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Completed<String> instead = new Completed<>("search", "none", Duration.ZERO);
    CompletableFuture<ToolResult<String>> result = dispatcher.dispatchAsync("search", t -> stage);
    result.complete(instead); // what completeOnTimeout does
    assertThat(stage).isCancelled();
    assertThat(result).isCompletedWithValue(instead);
    assertThat(total("search")).isZero();
  }

  /** The future's first completion counts, for the caller and for the tool. */
  @Test
  void aCallThatIsGivenUpIsNotRecordedByAStageThatWillNotBeCancelled() {
    CompletableFuture<String> stubborn =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return complete("found");
          }
        };
    CompletableFuture<ToolResult<String>> result =
        dispatcher.dispatchAsync("search", tool -> stubborn);
    assertThat(result.cancel(true)).isTrue();
    assertThat(stubborn).isCompletedWithValue("found");
    assertThat(result).isCancelled();
    assertThat(total("search")).isZero();
  }

  /**
   * {@code completeAsync} calls no method that the result overrides; the slot is free afterwards.
   */
  @Test
  void aFutureThatIsCompletedByAnotherTaskHasNoOutcome() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Completed<String> instead = new Completed<>("search", "none", Duration.ZERO);
    dispatcher.dispatchAsync("search", tool -> stage).completeAsync(() -> instead, Runnable::run);
    assertThat(stage).isCancelled();
    assertThat(total("search")).isZero();
  }

  /** Some stages cannot be cancelled. Their later result is ignored. */
  @Test
  void aFutureThatIsCompletedByAnotherTaskGivesItsProbeBackThoughTheStageGoesOn() {
    trip("search");
    at(30_000);
    CompletableFuture<String> stage =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return false;
          }
        };
    Completed<String> instead = new Completed<>("search", "none", Duration.ZERO);
    dispatcher.dispatchAsync("search", tool -> stage).completeAsync(() -> instead, Runnable::run);
    assertThat(registry.isToolAvailable("search")).isTrue();
    stage.complete("found");
    assertThat(state("search")).isEqualTo(CircuitState.OPEN);
    assertThat(total("search")).isEqualTo(3);
  }

  @Test
  void theFirstCompletionSaysThatItWas() {
    Completed<String> instead = new Completed<>("search", "none", Duration.ZERO);
    CompletableFuture<ToolResult<String>> completed = pending();
    assertThat(completed.complete(instead)).isTrue();
    assertThat(completed.complete(instead)).isFalse();
    assertThat(completed.completeExceptionally(new TimeoutException())).isFalse();
    assertThat(completed.cancel(true)).isFalse();
    assertThat(pending().completeExceptionally(new TimeoutException())).isTrue();
  }

  private CompletableFuture<ToolResult<String>> pending() {
    return dispatcher.dispatchAsync("search", tool -> new CompletableFuture<>());
  }

  @Test
  void whatCannotBePutIntoWordsIsCalledByItsClass() {
    Object mute = new Mute();
    ToolDispatcher strict =
        new ToolDispatcher(registry)
            .withVerdict(
                call -> mute.equals(call.value()) ? Verdict.FAILURE : call.defaultVerdict());
    assertThat(strict.dispatch("search", tool -> mute).text()).isEqualTo("Mute");
    RuntimeException silent =
        new IllegalStateException() {
          @Override
          public String getMessage() {
            throw new IllegalStateException("getMessage");
          }
        };
    ToolResult<String> result =
        strict.dispatch(
            "search",
            tool -> {
              throw silent;
            });
    assertThat(result).isInstanceOf(Failed.class);
    assertThat(result.text()).isEqualTo(silent.getClass().getName());
    assertThat(registry.snapshot("search").failures()).isEqualTo(2);
  }

  /** An example is a list that contains itself. */
  @Test
  void aValueWhoseTextOverflowsTheStackIsCalledByItsClass() {
    List<Object> endless = new ArrayList<>();
    endless.add(List.of(endless));
    ToolDispatcher strict = dispatcher.withVerdict(call -> Verdict.FAILURE);
    assertThat(strict.dispatch("search", tool -> endless).text()).isEqualTo("ArrayList");
    assertThat(registry.snapshot("search").failures()).isEqualTo(1);
  }

  private static final class Mute {
    @Override
    public String toString() {
      throw new IllegalStateException("toString");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // this test passes nulls on purpose
  void nullsAreRefusedByName() {
    assertThatThrownBy(() -> dispatcher.dispatch(null, tool -> "found")).hasMessage("tool");
    assertThatThrownBy(() -> dispatcher.dispatch("search", null)).hasMessage("call");
    assertThatThrownBy(() -> dispatcher.dispatchAsync("search", null)).hasMessage("call");
    assertThatThrownBy(() -> new ToolDispatcher(null)).hasMessage("registry");
    assertThatThrownBy(() -> dispatcher.withRouter(null)).hasMessage("router");
    assertThatThrownBy(() -> dispatcher.withVerdict(null)).hasMessage("verdict");
    assertThat(registry.toolCount()).isZero();
  }
}

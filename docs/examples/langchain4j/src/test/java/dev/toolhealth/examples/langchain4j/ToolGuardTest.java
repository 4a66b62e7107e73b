package dev.toolhealth.examples.langchain4j;

import static dev.toolhealth.examples.langchain4j.ScriptedModel.ask;
import static dev.toolhealth.examples.langchain4j.ScriptedModel.asking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ReturnBehavior;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.toolhealth.CircuitState;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Agents with scripted models in the real loop of LangChain4j's AI services. */
class ToolGuardTest {
  private static final int USERS = 8;

  private final AtomicLong clock = new AtomicLong();
  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder().nanoClock(clock::get).build();
  private final ToolGuard guard = new ToolGuard(registry);
  private final Web web = new Web();
  private final Archive archive = new Archive();
  private final ScriptedModel model = new ScriptedModel(ScriptedModel::research);
  private final ExecutorService threads = Executors.newFixedThreadPool(USERS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  interface Assistant {
    Result<String> ask(String question);
  }

  static final class Web {
    final AtomicInteger calls = new AtomicInteger();
    volatile Callable<String> backend = () -> "from the web";

    @Tool
    String search(
        @P(name = "query") String query, @P(name = "limit", defaultValue = "10") int limit)
        throws Exception {
      calls.incrementAndGet();
      return backend.call();
    }

    void breakDown() {
      backend =
          () -> {
            throw down();
          };
    }
  }

  static final class Archive {
    final AtomicInteger calls = new AtomicInteger();

    @Tool
    String archive(@P(name = "query") String query) {
      calls.incrementAndGet();
      return "from the archive";
    }
  }

  private static IllegalStateException down() {
    return new IllegalStateException("web is down");
  }

  private AiServices<Assistant> agent(ScriptedModel model) {
    return AiServices.builder(Assistant.class).chatModel(model);
  }

  /** Creates an agent with a guarded search and an unguarded archive. */
  private Assistant researcher() {
    return agent(model).tools(guard.toolsOf(web)).tools(archive).build();
  }

  private static List<AiServiceTool> tool(String name, ToolExecutor executor) {
    ToolSpecification specification = ToolSpecification.builder().name(name).build();
    return List.of(
        AiServiceTool.builder().toolSpecification(specification).toolExecutor(executor).build());
  }

  private static ToolExecutionRequest request(String arguments) {
    return ToolExecutionRequest.builder().name("search").arguments(arguments).build();
  }

  private ToolSnapshot search() {
    return registry.tool("search").snapshot();
  }

  private void trip() {
    for (int i = 0; i < 3; i++) {
      registry.recordFailureNanos("search", 1);
    }
  }

  private void after(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void theModelReadsTheRefusalTurnsToAnotherToolAndFindsTheToolAgain() {
    Assistant researcher = researcher();
    web.breakDown();
    assertThat(researcher.ask("moon").content()).isEqualTo("from the archive");
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::text)
        .containsExactly(
            "web is down",
            "web is down",
            "web is down",
            ToolResult.Refused.TEXT,
            "from the archive");
    assertThat(web.calls).hasValue(3);

    web.backend = () -> "from the web";
    after(Duration.ofSeconds(30).minusNanos(1));
    assertThat(researcher.ask("moon").content()).isEqualTo("from the archive");
    assertThat(web.calls).hasValue(3);

    after(Duration.ofNanos(1));
    assertThat(researcher.ask("moon").content()).isEqualTo("from the web");
    assertThat(web.calls).hasValue(4);
    assertThat(search().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void whileOneAgentProbesTheOthersTurnToAnotherTool() throws Exception {
    trip();
    after(Duration.ofSeconds(30));
    CountDownLatch othersAreDone = new CountDownLatch(1);
    web.backend =
        () -> {
          meet(othersAreDone);
          return "from the web";
        };
    ExecutorCompletionService<String> agents = askAtOnce();
    for (int i = 0; i < USERS - 1; i++) {
      assertThat(next(agents)).isEqualTo("from the archive");
    }
    assertThat(search().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    othersAreDone.countDown();
    assertThat(next(agents)).isEqualTo("from the web");
    assertThat(web.calls).hasValue(1);
    assertThat(archive.calls).hasValue(USERS - 1);
    assertThat(search().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(search().successes()).isEqualTo(1);
  }

  @Test
  void agentsThatFailAtOnceTripTheBreakerForAll() throws Exception {
    CyclicBarrier allAreOut = new CyclicBarrier(USERS);
    web.backend =
        () -> {
          if (web.calls.get() <= USERS) {
            allAreOut.await(10, TimeUnit.SECONDS);
          }
          throw down();
        };
    ExecutorCompletionService<String> agents = askAtOnce();
    for (int i = 0; i < USERS; i++) {
      assertThat(next(agents)).isEqualTo("from the archive");
    }
    assertThat(archive.calls).hasValue(USERS);
    assertThat(search().failures()).isEqualTo(web.calls.get()).isGreaterThanOrEqualTo(USERS);
    assertThat(search().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  /** Lets all users ask at once. Each has an agent; they share the guard and its tools. */
  private ExecutorCompletionService<String> askAtOnce() {
    CyclicBarrier start = new CyclicBarrier(USERS);
    ExecutorCompletionService<String> agents = new ExecutorCompletionService<>(threads);
    for (int i = 0; i < USERS; i++) {
      Assistant researcher = researcher();
      Future<String> unused =
          agents.submit(
              () -> {
                start.await(10, TimeUnit.SECONDS);
                return researcher.ask("moon").content();
              });
    }
    return agents;
  }

  private static String next(ExecutorCompletionService<String> agents) throws Exception {
    Future<String> done = agents.poll(10, TimeUnit.SECONDS);
    assertThat(done).as("an agent's answer").isNotNull();
    return done.get();
  }

  private static void meet(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void argumentsThatTheModelGotWrongSayNothingOfTheTool() {
    ScriptedModel model = new ScriptedModel(asking(4, ask("search", "limit", "many")));
    agent(model)
        .tools(guard.toolsOf(web))
        .toolArgumentsErrorHandler((e, context) -> ToolErrorHandlerResult.text("wrong arguments"))
        .build()
        .ask("moon");
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::text)
        .containsExactly(
            "wrong arguments", "wrong arguments", "wrong arguments", "wrong arguments");
    assertThat(web.calls).hasValue(0);
    assertThat(search().total()).isZero();
  }

  @Test
  void aProbeWithWrongArgumentsLeavesTheProbeToTheNextCall() {
    trip();
    after(Duration.ofSeconds(30));
    ToolExecutor search = guard.toolsOf(web).get(0).toolExecutor();
    assertThatThrownBy(() -> search.execute(request("{\"limit\": \"many\"}"), "user"))
        .isInstanceOf(ToolArgumentsException.class);
    assertThat(search.execute(request("{\"limit\": 3}"), "user")).isEqualTo("from the web");
  }

  @Test
  void aResultThatIsAnErrorIsAFailure() {
    ToolExecutor failing = executor(error());
    ScriptedModel model = new ScriptedModel(asking(4, ask("search", "query", "moon")));
    agent(model).tools(guard.guard(tool("search", failing))).build().ask("moon");
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::text)
        .containsExactly("503", "503", "503", ToolResult.Refused.TEXT);
    assertThat(search().failures()).isEqualTo(3);
  }

  /** By default, this executor turns a tool's exception into text. */
  @Test
  void anErrorInAPlainTextIsAFailure() throws Exception {
    web.breakDown();
    ToolExecutor swallowing =
        new DefaultToolExecutor(
            web, Web.class.getDeclaredMethod("search", String.class, int.class));
    String text = guard.guard(swallowing).execute(request("{}"), "user");
    assertThat(text).isEqualTo("web is down");
    assertThat(search().failures()).isEqualTo(1);
  }

  @Test
  void theMemoryIdReachesTheTool() {
    ToolExecutor guarded = guard.guard((request, memoryId) -> "for " + memoryId);
    assertThat(guarded.execute(request("{}"), "user")).isEqualTo("for user");
    InvocationContext context = InvocationContext.builder().chatMemoryId("other").build();
    assertThat(guarded.executeWithContext(request("{}"), context).resultText())
        .isEqualTo("for other");
  }

  private static ToolExecutor executor(ToolExecutionResult result) {
    return new ToolExecutor() {
      @Override
      public String execute(ToolExecutionRequest request, Object memoryId) {
        return result.resultText();
      }

      @Override
      public ToolExecutionResult executeWithContext(
          ToolExecutionRequest request, InvocationContext context) {
        return result;
      }
    };
  }

  private static ToolExecutionResult error() {
    return ToolExecutionResult.builder()
        .isError(true)
        .resultText("503")
        .attributes(Map.of("retry", true))
        .build();
  }

  static List<ToolExecutor> tools() {
    return List.of(
        executor(ToolExecutionResult.builder().resultText("text").result(7).build()),
        executor(
            ToolExecutionResult.builder()
                .resultTextSupplier(() -> "late")
                .attributes(Map.of("page", 2))
                .build()),
        executor(error()),
        (request, memoryId) -> "plain",
        (request, memoryId) -> {
          throw new ToolExecutionException("failed", down(), 503);
        },
        (request, memoryId) -> {
          throw new ToolExecutionException(new CancellationException("given up"));
        });
  }

  /** Compares the texts for the model, the errors for handlers and the results for the caller. */
  @ParameterizedTest
  @MethodSource("tools")
  void aToolThatIsRunIsNotChanged(ToolExecutor executor) {
    assertThat(seen(guard.guard(tool("search", executor))))
        .isEqualTo(seen(tool("search", executor)));
  }

  private List<Object> seen(List<AiServiceTool> tools) {
    List<Object> seen = new ArrayList<>();
    ScriptedModel model = new ScriptedModel(asking(1, ask("search", "query", "moon")));
    agent(model)
        .tools(tools)
        .toolExecutionErrorHandler(
            (error, context) -> {
              seen.add(String.valueOf(error));
              seen.add(String.valueOf(context.rawError()));
              return ToolErrorHandlerResult.text("handled");
            })
        .build()
        .ask("moon")
        .toolExecutions()
        .forEach(execution -> seen.add(String.valueOf(execution.resultObject())));
    seen.addAll(model.results());
    return seen;
  }

  @Test
  void handlersGetTheVeryException() {
    ToolExecutionException thrown = new ToolExecutionException("failed", down(), 503);
    ToolExecutor guarded =
        guard.guard(
            (request, memoryId) -> {
              throw thrown;
            });
    assertThatThrownBy(() -> guarded.execute(request("{}"), "user")).isSameAs(thrown);
    assertThat(search().failures()).isEqualTo(1);
  }

  /** An executor can throw a checked exception, although its methods declare none. */
  @Test
  void handlersGetACheckedExceptionToo() {
    IOException thrown = new IOException("web is down");
    ToolExecutor guarded =
        guard.guard(
            (request, memoryId) -> {
              throw ToolGuardTest.<RuntimeException>unchecked(thrown);
            });
    assertThatThrownBy(() -> guarded.execute(request("{}"), "user"))
        .isInstanceOf(ToolExecutionException.class)
        .cause()
        .isSameAs(thrown);
    assertThat(search().failures()).isEqualTo(1);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void aToolThatIsNotGuardedIsRunEveryTime() {
    web.breakDown();
    ScriptedModel model = new ScriptedModel(asking(5, ask("search", "query", "moon")));
    agent(model).tools(web).tools(guard.toolsOf(archive)).build().ask("moon");
    assertThat(web.calls).hasValue(5);
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::text)
        .containsOnly("web is down");
    assertThat(registry.find("search")).isEmpty();
  }

  @Test
  void aRefusalIsForTheModelEvenIfResultsGoToTheCaller() {
    AiServiceTool immediate =
        ToolService.findTools(web).get(0).toBuilder()
            .returnBehavior(ReturnBehavior.IMMEDIATE)
            .build();
    Assistant researcher =
        agent(model).tools(guard.guard(List.of(immediate))).tools(archive).build();
    assertThat(researcher.ask("moon").toolExecutions())
        .singleElement()
        .satisfies(execution -> assertThat(execution.result()).isEqualTo("from the web"));
    assertThat(model.results()).as("what the model reads").isEmpty();
    trip();
    assertThat(researcher.ask("moon").content()).isEqualTo("from the archive");
  }

  @Test
  void anInterruptedCallHasNoOutcomeAndTheInterruptIsKept() {
    web.backend =
        () -> {
          throw new InterruptedException("stop");
        };
    ToolExecutor guarded = guard.toolsOf(web).get(0).toolExecutor();
    assertThatThrownBy(() -> guarded.execute(request("{}"), "user"))
        .isInstanceOf(ToolExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(search().total()).isZero();
  }

  @Test
  void aCancelledCallHasNoOutcome() {
    web.backend =
        () -> {
          throw new CancellationException("given up");
        };
    ToolExecutor guarded = guard.toolsOf(web).get(0).toolExecutor();
    assertThatThrownBy(() -> guarded.execute(request("{}"), "user"))
        .hasCauseInstanceOf(CancellationException.class);
    assertThat(search().total()).isZero();
  }

  static final class NotFound extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotFound() {
      super("no such page");
    }
  }

  /** GATE-8: only the program knows that the server has answered. */
  @Test
  void anExceptionCanBeASignOfLife() {
    ToolGuard lenient =
        new ToolGuard(
            registry,
            call ->
                call.exception() != null && call.exception().getCause() instanceof NotFound
                    ? Verdict.SUCCESS
                    : ToolGuard.defaultVerdict(call));
    web.breakDown();
    ToolExecutor search = lenient.toolsOf(web).get(0).toolExecutor();
    assertThatThrownBy(() -> search.execute(request("{}"), "user")).hasMessageContaining("down");
    assertThatThrownBy(() -> search.execute(request("{}"), "user")).hasMessageContaining("down");
    web.backend =
        () -> {
          throw new NotFound();
        };
    assertThatThrownBy(() -> search.execute(request("{}"), "user"))
        .hasCauseInstanceOf(NotFound.class);
    assertThat(search().consecutiveFailures()).isZero();
    trip();
    after(Duration.ofSeconds(30));
    assertThatThrownBy(() -> search.execute(request("{}"), "user"))
        .hasCauseInstanceOf(NotFound.class);
    assertThat(search().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThatThrownBy(() -> search.execute(request("{\"limit\": \"many\"}"), "user"))
        .isInstanceOf(ToolArgumentsException.class);
    assertThat(search().total()).as("wrong arguments still say nothing").isEqualTo(7);
  }

  /** Returns a message of more than 5 million characters, of which two make an emoji. */
  private static String huge(String start) {
    return start + "\uD83D\uDE00".repeat(2_500_000);
  }

  private static void assertShortened(@Nullable String text, String start) {
    assertThat(text).startsWith(start).hasSizeBetween(1_900, 2_000);
    assertThat(text).matches("(?s).*[^\\x{D800}-\\x{DFFF}] \\.\\.\\. \\[\\d+ more characters]");
  }

  /** GATE-7. One of the two starts puts the cut in the middle of an emoji. */
  @ParameterizedTest
  @ValueSource(strings = {"web is down", "web is down!"})
  void aHugeMessageIsShortenedForTheModel(String start) {
    web.backend =
        () -> {
          throw new IllegalStateException(huge(start));
        };
    ScriptedModel model = new ScriptedModel(asking(1, ask("search", "query", "moon")));
    agent(model).tools(guard.toolsOf(web)).build().ask("moon");
    assertThat(model.results())
        .singleElement()
        .satisfies(result -> assertShortened(result.text(), start));
    assertThat(search().failures()).isEqualTo(1);
  }

  /** A handler finds the exception of the tool in the cause of the shortened error. */
  @Test
  void handlersFindTheExceptionOfAHugeMessageInItsCause() {
    IllegalStateException thrown = new IllegalStateException(huge("web is down"));
    ToolExecutor failing =
        (request, memoryId) -> {
          throw new ToolExecutionException("failed", thrown, 503);
        };
    List<Throwable> errors = new ArrayList<>();
    ScriptedModel model = new ScriptedModel(asking(1, ask("search", "query", "moon")));
    agent(model)
        .tools(guard.guard(tool("search", failing)))
        .toolExecutionErrorHandler(
            (error, context) -> {
              errors.add(error);
              errors.add(context.rawError());
              return ToolErrorHandlerResult.text(error.getMessage());
            })
        .build()
        .ask("moon");
    assertShortened(model.results().get(0).text(), "web is down");
    assertThat(errors.get(0)).isInstanceOf(ToolExecutionException.class).cause().isSameAs(thrown);
    assertThat(errors.get(1))
        .isInstanceOfSatisfying(
            ToolExecutionException.class, e -> assertThat(e.errorCode()).isEqualTo(503));
  }

  @Test
  void aHugeMessageAboutArgumentsIsShortenedToo() {
    ToolExecutor guarded =
        guard.guard(
            (request, memoryId) -> {
              throw new ToolArgumentsException(huge("invalid params"), -32602);
            });
    assertThatThrownBy(() -> guarded.execute(request("{}"), "user"))
        .isInstanceOfSatisfying(
            ToolArgumentsException.class, e -> assertThat(e.errorCode()).isEqualTo(-32602))
        .cause()
        .satisfies(e -> assertShortened(e.getMessage(), "invalid params"));
    assertThat(search().total()).isZero();
  }

  @Test
  void aHugeMessageWithoutACauseIsShortenedToo() {
    ToolExecutor guarded =
        guard.guard(
            (request, memoryId) -> {
              throw new IllegalStateException(huge("web is down"));
            });
    assertThatThrownBy(() -> guarded.execute(request("{}"), "user"))
        .cause()
        .satisfies(e -> assertShortened(e.getMessage(), "web is down"));
  }

  /** An error result is shortened whatever its verdict, and so is a result that is a failure. */
  @Test
  void aHugeErrorResultIsShortened() {
    ImageContent image = ImageContent.from("https://localhost/moon.png");
    ToolExecutionResult huge =
        ToolExecutionResult.builder()
            .isError(true)
            .result(7)
            .resultContents(
                List.of(TextContent.from("503"), image, TextContent.from(huge("web is down"))))
            .attributes(Map.of("retry", true))
            .build();
    for (Verdict verdict : List.of(Verdict.FAILURE, Verdict.SUCCESS)) {
      ToolExecutionResult read =
          new ToolGuard(registry, call -> verdict)
              .guard(executor(huge))
              .executeWithContext(request("{}"), null);
      assertThat(read.resultContents()).hasSize(2).element(1).isSameAs(image);
      assertShortened(((TextContent) read.resultContents().get(0)).text(), "503\nweb is down");
      assertThat(read.isError()).isTrue();
      assertThat(read.result()).isEqualTo(7);
      assertThat(read.attributes()).containsEntry("retry", true);
    }
    ToolExecutionResult late =
        ToolExecutionResult.builder().resultTextSupplier(() -> huge("ERROR")).build();
    assertShortened(
        new ToolGuard(registry, call -> Verdict.FAILURE)
            .guard(executor(late))
            .execute(request("{}"), "user"),
        "ERROR");
    assertThat(guard.guard(executor(late)).execute(request("{}"), "user"))
        .as("an answer may be long")
        .hasSize(5_000_005);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_999, 2_000})
  void aTextWithinTheBoundIsNotTouched(int length) {
    ToolExecutionException thrown = new ToolExecutionException("x".repeat(length));
    ToolExecutor throwing =
        guard.guard(
            (request, memoryId) -> {
              throw thrown;
            });
    assertThatThrownBy(() -> throwing.execute(request("{}"), "user")).isSameAs(thrown);
    ToolExecutionResult error =
        ToolExecutionResult.builder().isError(true).resultText("x".repeat(length)).build();
    assertThat(guard.guard(executor(error)).executeWithContext(request("{}"), null))
        .isSameAs(error);
  }

  static final class Later {
    @Tool
    CompletableFuture<String> search(@P(name = "query") String query) {
      return new CompletableFuture<>();
    }
  }

  static final class Threaded {
    @Tool
    FutureTask<String> search(@P(name = "query") String query) {
      return new FutureTask<>(() -> "from the web");
    }
  }

  static final class Streaming {
    @Tool
    Flow.Publisher<String> search(@P(name = "query") String query) {
      return new SubmissionPublisher<>();
    }
  }

  static final class Reactive {
    @Tool
    Flux<String> search(@P(name = "query") String query) {
      return Flux.never();
    }
  }

  static final class Delayed {
    @Tool
    Mono<String> search(@P(name = "query") String query) {
      return Mono.never();
    }
  }

  static List<Object> pending() {
    return List.of(new Later(), new Threaded(), new Streaming(), new Reactive(), new Delayed());
  }

  /** GATE-6: LangChain4j would not wait, and the guard would record a success at once. */
  @ParameterizedTest
  @MethodSource("pending")
  void toolsWithPendingResultsAreNotTaken(Object tools) {
    assertThatThrownBy(() -> guard.toolsOf(tools))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("LangChain4j does not wait")
        .hasMessageContaining("search(java.lang.String)");
    assertThat(registry.find("search")).isEmpty();
  }

  /** Shows why: without a guard, the model reads JSON of the future or stream. */
  @Test
  void langChain4jDoesNotWaitForResults() {
    for (Object tools : List.of(new Later(), new Reactive(), new Delayed())) {
      ScriptedModel model = new ScriptedModel(asking(1, ask("search", "query", "moon")));
      agent(model).tools(tools).build().ask("moon");
      assertThat(model.results())
          .singleElement()
          .satisfies(
              result ->
                  assertThat(result.text()).containsAnyOf("\"done\":false", "\"scanAvailable\""));
    }
  }

  private record Provider(@Nullable ToolProviderResult result, boolean isDynamic)
      implements ToolProvider {
    @Override
    public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
      return result;
    }
  }

  @Test
  void theToolsOfAProviderAreGuarded() {
    trip();
    for (boolean dynamic : new boolean[] {false, true}) {
      Provider tools = new Provider(new ToolProviderResult(ToolService.findTools(web)), dynamic);
      ToolProvider guarded = guard.guard(tools);
      assertThat(guarded.isDynamic()).isEqualTo(dynamic);
      assertThat(agent(model).toolProvider(guarded).tools(archive).build().ask("moon").content())
          .isEqualTo("from the archive");
    }
    ToolProvider none = guard.guard(new Provider(null, false));
    ScriptedModel model = new ScriptedModel(messages -> AiMessage.from("no tools"));
    assertThat(agent(model).toolProvider(none).build().ask("moon").content()).isEqualTo("no tools");
  }
}

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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Agents whose models are scripted, in the loop of LangChain4j's AI services. */
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

  /** A researcher with a guarded search, and an archive that is not guarded. */
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

  /** Each user has an agent of their own; only the guard and its tools are shared. */
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

  /** Unless it is told otherwise this executor makes text of what a tool throws. */
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

  /** What the model reads, what handlers are told, and what the caller finds in the result. */
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

  /** Nothing but Java keeps an executor from throwing one. */
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

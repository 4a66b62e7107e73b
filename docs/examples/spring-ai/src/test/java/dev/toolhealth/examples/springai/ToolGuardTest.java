package dev.toolhealth.examples.springai;

import static dev.toolhealth.examples.springai.ScriptedModel.MOON;
import static dev.toolhealth.examples.springai.ScriptedModel.asking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.CircuitState;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.io.IOException;
import java.time.Duration;
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
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Agents with scripted models in the real loop of Spring AI's chat client. */
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

  static final class Web {
    final AtomicInteger calls = new AtomicInteger();
    volatile Callable<String> backend = () -> "from the web";

    @Tool
    String search(String query, int limit) throws Exception {
      calls.incrementAndGet();
      return backend.call();
    }

    void breakDown() {
      backend =
          () -> {
            throw new IllegalStateException("web is down");
          };
    }
  }

  static final class Direct {
    @Tool(name = "search", returnDirect = true)
    String search(String query) {
      return "straight from the web";
    }
  }

  static final class Archive {
    final AtomicInteger calls = new AtomicInteger();

    @Tool
    String archive(String query) {
      calls.incrementAndGet();
      return "from the archive";
    }
  }

  private static @Nullable String ask(ScriptedModel model, Object... tools) {
    return ChatClient.create(model).prompt("moon").tools(tools).call().content();
  }

  /** Asks an agent with a guarded search and an unguarded archive. */
  private @Nullable String askResearcher() {
    return ask(model, guard.toolsOf(web), archive);
  }

  private ToolCallback guardedSearch() {
    return guard.toolsOf(web).getToolCallbacks()[0];
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
    web.breakDown();
    assertThat(askResearcher()).contains("from the archive");
    assertThat(model.results())
        .containsExactly(
            "web is down",
            "web is down",
            "web is down",
            ToolResult.Refused.TEXT,
            "\"from the archive\"");
    assertThat(web.calls).hasValue(3);

    web.backend = () -> "from the web";
    after(Duration.ofSeconds(30).minusNanos(1));
    assertThat(askResearcher()).contains("from the archive");
    assertThat(web.calls).hasValue(3);

    after(Duration.ofNanos(1));
    assertThat(askResearcher()).contains("from the web");
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
          assertThat(othersAreDone.await(10, TimeUnit.SECONDS)).isTrue();
          return "from the web";
        };
    ExecutorCompletionService<@Nullable String> agents = askAtOnce();
    for (int i = 0; i < USERS - 1; i++) {
      assertThat(next(agents)).contains("from the archive");
    }
    assertThat(search().circuitState()).isEqualTo(CircuitState.HALF_OPEN);
    othersAreDone.countDown();
    assertThat(next(agents)).contains("from the web");
    assertThat(web.calls).hasValue(1);
    assertThat(archive.calls).hasValue(USERS - 1);
    assertThat(search().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(search().successes()).isEqualTo(1);
  }

  @Test
  void agentsThatFailAtOnceTripTheBreakerForAll() throws Exception {
    CyclicBarrier allAreOut = new CyclicBarrier(USERS);
    AtomicInteger arrivals = new AtomicInteger();
    web.backend =
        () -> {
          if (arrivals.incrementAndGet() <= USERS) {
            allAreOut.await(10, TimeUnit.SECONDS);
          }
          throw new IllegalStateException("web is down");
        };
    ExecutorCompletionService<@Nullable String> agents = askAtOnce();
    for (int i = 0; i < USERS; i++) {
      assertThat(next(agents)).contains("from the archive");
    }
    assertThat(archive.calls).hasValue(USERS);
    assertThat(search().failures()).isEqualTo(web.calls.get()).isGreaterThanOrEqualTo(USERS);
    assertThat(search().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  /** Lets all users ask at once. Each has a chat client; they share the guard and its tools. */
  private ExecutorCompletionService<@Nullable String> askAtOnce() {
    CyclicBarrier start = new CyclicBarrier(USERS);
    ExecutorCompletionService<@Nullable String> agents = new ExecutorCompletionService<>(threads);
    for (int i = 0; i < USERS; i++) {
      Future<@Nullable String> unused =
          agents.submit(
              () -> {
                start.await(10, TimeUnit.SECONDS);
                return askResearcher();
              });
    }
    return agents;
  }

  private static @Nullable String next(ExecutorCompletionService<@Nullable String> agents)
      throws Exception {
    Future<@Nullable String> done = agents.poll(10, TimeUnit.SECONDS);
    assertThat(done).as("an agent's answer").isNotNull();
    return done.get();
  }

  /** The last input leaves out an argument of a primitive type. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"limit\": \"many\"}", "{\"query\": ", "{\"query\": \"moon\"}"})
  void argumentsThatTheModelGotWrongSayNothingOfTheTool(String input) {
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> guardedSearch().call(input)).isInstanceOf(RuntimeException.class);
    }
    assertThat(web.calls).hasValue(0);
    assertThat(search().total()).isZero();
  }

  /** A tool that cannot read its own data throws the same exceptions, but has failed. */
  @Test
  void whatTheToolCannotReadIsItsFailure() {
    web.backend = () -> JsonMapper.shared().readTree("<html>").toString();
    assertThatThrownBy(() -> guardedSearch().call(MOON)).hasCauseInstanceOf(JacksonException.class);
    web.backend = () -> "page " + Integer.parseInt("<html>");
    assertThatThrownBy(() -> guardedSearch().call(MOON))
        .hasCauseInstanceOf(NumberFormatException.class);
    assertThat(search().failures()).isEqualTo(2);
  }

  @Test
  void aTextCanBeAFailureAndIsStillRead() {
    ToolGuard strict =
        new ToolGuard(
            registry,
            call ->
                call.value() instanceof String text && text.startsWith("\"ERROR")
                    ? Verdict.FAILURE
                    : ToolGuard.defaultVerdict(call));
    web.backend = () -> "ERROR: web is down";
    assertThat(strict.toolsOf(web).getToolCallbacks()[0].call(MOON))
        .isEqualTo("\"ERROR: web is down\"");
    assertThat(search().failures()).isEqualTo(1);
    assertThat(search().successes()).isZero();
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
    ToolCallback search = lenient.toolsOf(web).getToolCallbacks()[0];
    assertThatThrownBy(() -> search.call(MOON)).hasMessage("web is down");
    assertThatThrownBy(() -> search.call(MOON)).hasMessage("web is down");
    web.backend =
        () -> {
          throw new NotFound();
        };
    assertThatThrownBy(() -> search.call(MOON)).hasMessage("no such page");
    assertThat(search().consecutiveFailures()).isZero();
    trip();
    after(Duration.ofSeconds(30));
    assertThatThrownBy(() -> search.call(MOON)).hasMessage("no such page");
    assertThat(search().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThatThrownBy(() -> search.call("{\"limit\": \"many\"}"));
    assertThat(search().total()).as("wrong arguments still say nothing").isEqualTo(7);
  }

  @Test
  void theModelReadsWhatSpringMakesOfWrongArguments() {
    String wrong = "{\"limit\": \"many\"}";
    ScriptedModel guarded = new ScriptedModel(asking(4, "search", wrong));
    ScriptedModel plain = new ScriptedModel(asking(4, "search", wrong));
    ask(guarded, guard.toolsOf(web));
    ask(plain, web);
    assertThat(guarded.results()).hasSize(4).isEqualTo(plain.results());
    assertThat(search().total()).isZero();
  }

  @Test
  void aFunctionsWrongArgumentsSayNothingOfIt() {
    ToolCallback function =
        guard.guard(
            FunctionToolCallback.builder("search", (Integer limit) -> "from the web")
                .inputType(Integer.class)
                .build());
    assertThatThrownBy(() -> function.call("\"many\"")).isInstanceOf(IllegalStateException.class);
    assertThat(search().total()).isZero();
  }

  @Test
  void aProbeWithWrongArgumentsLeavesTheProbeToTheNextCall() {
    trip();
    after(Duration.ofSeconds(30));
    assertThatThrownBy(() -> guardedSearch().call("{\"limit\": \"many\"}"))
        .isInstanceOf(ToolExecutionException.class);
    assertThat(guardedSearch().call(MOON)).contains("from the web");
  }

  /** Spring AI's processor turns an unchecked exception into text and rethrows a checked one. */
  @Test
  void springDecidesWhatBecomesOfAFailure() {
    web.backend =
        () -> {
          throw new IOException("web is down");
        };
    assertThatThrownBy(this::askResearcher)
        .isInstanceOf(ToolExecutionException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(search().failures()).isEqualTo(1);
    assertThatThrownBy(() -> ask(model, web, archive))
        .isInstanceOf(ToolExecutionException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  /** A tool that is not a method. */
  private record Own(Callable<@Nullable String> answer) implements ToolCallback {
    @Override
    public ToolDefinition getToolDefinition() {
      return ToolDefinition.builder().name("search").inputSchema("{}").build();
    }

    @Override
    @SuppressWarnings(
        "NullAway") // some tools return null, which Spring AI turns into an empty text
    public String call(String toolInput) {
      try {
        return answer.call();
      } catch (Exception e) {
        throw ToolGuardTest.<RuntimeException>unchecked(e);
      }
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private ToolCallback guardedThatThrows(Exception thrown) {
    return guard.guard(
        new Own(
            () -> {
              throw thrown;
            }));
  }

  @Test
  void theVeryExceptionComesOut() {
    IllegalStateException thrown = new IllegalStateException("web is down");
    ToolCallback guarded = guardedThatThrows(thrown);
    assertThatThrownBy(() -> guarded.call(MOON)).isSameAs(thrown);
    assertThat(search().failures()).isEqualTo(1);
  }

  @Test
  void aCheckedExceptionIsWrapped() {
    IOException thrown = new IOException("web is down");
    ToolCallback guarded = guardedThatThrows(thrown);
    assertThatThrownBy(() -> guarded.call(MOON))
        .isInstanceOf(ToolExecutionException.class)
        .cause()
        .isSameAs(thrown);
    assertThat(search().failures()).isEqualTo(1);
  }

  @Test
  void nullStaysNull() {
    assertThat(guard.guard(new Own(() -> null)).call(MOON)).isNull();
    assertThat(search().successes()).isEqualTo(1);
  }

  @Test
  void aRefusalIsForTheModelEvenIfResultsGoToTheCaller() {
    assertThat(ask(model, guard.toolsOf(new Direct()), archive)).contains("straight from the web");
    assertThat(model.results()).as("what the model reads").isEmpty();
    trip();
    assertThat(ask(model, guard.toolsOf(new Direct()), archive)).contains("from the archive");
  }

  @Test
  void definitionAndMetadataAreTheTools() {
    ToolCallback direct = ToolCallbacks.from(new Direct())[0];
    ToolCallback guarded = guard.guard(direct);
    assertThat(guarded.getToolDefinition()).isSameAs(direct.getToolDefinition());
    assertThat(guarded.getToolMetadata()).isSameAs(direct.getToolMetadata());
    assertThat(registry.find("search")).as("a tool whose definition was read").isEmpty();
  }

  /** GATE-7: Spring AI gives the model the message, and handlers still find the cause. */
  @Test
  void aHugeMessageIsShortenedForTheModel() {
    String huge = "web is down: " + "\uD83D\uDE00".repeat(2_500_000);
    web.backend =
        () -> {
          throw new IllegalStateException(huge);
        };
    ScriptedModel model = new ScriptedModel(asking(1, "search", MOON));
    ask(model, guard.toolsOf(web));
    assertThat(model.results())
        .singleElement()
        .satisfies(
            text ->
                assertThat(text)
                    .startsWith("web is down: \uD83D\uDE00")
                    .endsWith(" more characters]")
                    .hasSizeBetween(1_900, 2_000));
    assertThatThrownBy(() -> guardedSearch().call(MOON))
        .isInstanceOfSatisfying(
            ToolExecutionException.class,
            e -> {
              assertThat(e.getMessage()).hasSizeLessThanOrEqualTo(2_000);
              assertThat(e.getToolDefinition().name()).isEqualTo("search");
              assertThat(e.getCause()).isInstanceOf(IllegalStateException.class).hasMessage(huge);
            });
    assertThat(search().failures()).isEqualTo(2);
  }

  @Test
  void aHugeMessageOfACheckedExceptionIsShortenedToo() {
    IOException thrown = new IOException("x".repeat(5_000_000));
    assertThatThrownBy(() -> guardedThatThrows(thrown).call(MOON))
        .isInstanceOf(ToolExecutionException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThanOrEqualTo(2_000))
        .cause()
        .isSameAs(thrown);
  }

  @Test
  void aHugeTextThatIsAFailureIsShortened() {
    ToolGuard strict = new ToolGuard(registry, call -> Verdict.FAILURE);
    web.backend = () -> "x".repeat(5_000_000);
    assertThat(strict.toolsOf(web).getToolCallbacks()[0].call(MOON))
        .startsWith("\"xxx")
        .hasSizeLessThanOrEqualTo(2_000);
  }

  /** The exception is the same object, so exception processors see no difference. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1_999, 2_000})
  void aMessageWithinTheBoundIsNotTouched(int length) {
    ToolExecutionException thrown =
        new ToolExecutionException(
            guardedSearch().getToolDefinition(), new IllegalStateException("x".repeat(length)));
    assertThatThrownBy(() -> guardedThatThrows(thrown).call(MOON)).isSameAs(thrown);
  }

  static final class Later {
    @Tool
    CompletableFuture<String> search(String query) {
      return new CompletableFuture<>();
    }
  }

  static final class Streaming {
    @Tool
    Flux<String> search(String query) {
      return Flux.never();
    }
  }

  static final class Delayed {
    @Tool
    Mono<String> search(String query) {
      return Mono.never();
    }
  }

  static final class Threaded {
    @Tool
    FutureTask<String> search(String query) {
      return new FutureTask<>(() -> "from the web");
    }
  }

  static List<Object> pending() {
    return List.of(new Later(), new Streaming(), new Delayed(), new Threaded());
  }

  /** GATE-6: Spring AI would not wait, and the guard would record a success at once. */
  @ParameterizedTest
  @MethodSource("pending")
  void toolsWithPendingResultsAreNotTaken(Object tools) {
    assertThatThrownBy(() -> guard.toolsOf(archive, tools))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Spring AI does not wait")
        .hasMessageContaining("search(java.lang.String)");
    assertThat(registry.find("search")).isEmpty();
  }

  /** Shows why: without a guard, the model reads JSON of the future or stream. */
  @Test
  void springAiDoesNotWaitForResults() {
    for (Object tools : List.of(new Later(), new Streaming(), new Delayed())) {
      ScriptedModel model = new ScriptedModel(asking(1, "search", MOON));
      ask(model, tools);
      assertThat(model.results())
          .singleElement()
          .satisfies(text -> assertThat(text).containsAnyOf("\"done\":false", "\"scanAvailable\""));
    }
  }

  static final class Tenants {
    @Tool
    String search(String query, ToolContext context) {
      return "for " + context.getContext().get("tenant");
    }
  }

  @Test
  void theToolContextReachesTheTool() {
    assertThat(
            ChatClient.create(model)
                .prompt("moon")
                .tools(guard.toolsOf(new Tenants()))
                .toolContext(Map.of("tenant", "acme"))
                .call()
                .content())
        .contains("for acme");
  }

  @Test
  void aToolThatIsNotGuardedIsRunEveryTime() {
    web.breakDown();
    ScriptedModel model = new ScriptedModel(asking(5, "search", MOON));
    ask(model, web, guard.toolsOf(archive));
    assertThat(web.calls).hasValue(5);
    assertThat(model.results()).hasSize(5).containsOnly("web is down");
    assertThat(registry.find("search")).isEmpty();
  }

  @Test
  void aProviderIsAskedEveryTime() {
    AtomicInteger asked = new AtomicInteger();
    ToolCallbackProvider guarded =
        guard.guard(
            (ToolCallbackProvider)
                () -> asked.incrementAndGet() == 1 ? new ToolCallback[0] : ToolCallbacks.from(web));
    assertThat(guarded.getToolCallbacks()).isEmpty();
    trip();
    assertThat(ask(model, guarded, archive)).contains("from the archive");
  }

  @Test
  void anInterruptedCallHasNoOutcomeAndTheInterruptIsKept() {
    web.backend =
        () -> {
          throw new InterruptedException("stop");
        };
    assertThatThrownBy(() -> guardedSearch().call(MOON))
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
    assertThatThrownBy(() -> guardedSearch().call(MOON))
        .hasCauseInstanceOf(CancellationException.class);
    assertThat(search().total()).isZero();
  }
}

package dev.toolhealth.examples.springai;

import static dev.toolhealth.examples.springai.ScriptedModel.MOON;
import static dev.toolhealth.examples.springai.ScriptedModel.asking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.CircuitState;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.dispatch.ToolResult;
import java.io.IOException;
import java.time.Duration;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Agents whose models are scripted, in the loop of Spring AI's chat client. */
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

  /** A researcher has a guarded search, and an archive that is not guarded. */
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

  /** Each user has a client of their own; only the guard and its tools are shared. */
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

  /** The last one leaves out what Java must have. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"limit\": \"many\"}", "{\"query\": ", "{\"query\": \"moon\"}"})
  void argumentsThatTheModelGotWrongSayNothingOfTheTool(String input) {
    for (int i = 0; i < 4; i++) {
      assertThatThrownBy(() -> guardedSearch().call(input)).isInstanceOf(RuntimeException.class);
    }
    assertThat(web.calls).hasValue(0);
    assertThat(search().total()).isZero();
  }

  /** A tool that cannot read its source has failed, though it says so by the same exceptions. */
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
  void aTextThatTellsOfAFailureIsOneAndIsRead() {
    ToolGuard strict = new ToolGuard(registry, text -> text.startsWith("\"ERROR"));
    web.backend = () -> "ERROR: web is down";
    assertThat(strict.toolsOf(web).getToolCallbacks()[0].call(MOON))
        .isEqualTo("\"ERROR: web is down\"");
    assertThat(search().failures()).isEqualTo(1);
    assertThat(search().successes()).isZero();
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

  /** Spring's processor makes a text of an unchecked one, and throws a checked one on. */
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

  /** A tool of the user's own making. */
  private record Own(Callable<@Nullable String> answer) implements ToolCallback {
    @Override
    public ToolDefinition getToolDefinition() {
      return ToolDefinition.builder().name("search").inputSchema("{}").build();
    }

    @Override
    @SuppressWarnings("NullAway") // some do answer null, and Spring makes an empty text of it
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
    assertThat(registry.find("search")).as("asking for them tracks nothing").isEmpty();
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

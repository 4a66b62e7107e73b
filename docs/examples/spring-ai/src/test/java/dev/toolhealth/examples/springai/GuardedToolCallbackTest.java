package dev.toolhealth.examples.springai;

import static dev.toolhealth.CircuitState.CLOSED;
import static dev.toolhealth.CircuitState.HALF_OPEN;
import static dev.toolhealth.CircuitState.OPEN;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.CircuitBreakerConfig;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolResult;
import dev.toolhealth.ToolSnapshot;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import tools.jackson.databind.json.JsonMapper;

/** A chat client whose model calls guarded tools. */
@Timeout(60)
class GuardedToolCallbackTest {
  private static final String QUESTION = "{\"page\": 7}";

  private final AtomicLong clock = new AtomicLong();
  private final ToolHealthRegistry registry =
      new ToolHealthRegistry(CircuitBreakerConfig.defaults(), clock::get);
  private final Tools tools = new Tools();
  private final ChatClient agent =
      ChatClient.builder(new ScriptedModel())
          .defaultTools(
              GuardedToolCallback.guard(
                  registry,
                  MethodToolCallbackProvider.builder().toolObjects(tools).build(),
                  text -> text.contains("no connection")))
          .build();
  private final ExecutorService users = Executors.newCachedThreadPool();

  @AfterEach
  void allUsersHaveLeft() throws InterruptedException {
    users.shutdownNow();
    assertThat(users.awaitTermination(30, SECONDS)).isTrue();
  }

  /** Does what it is told to. */
  static final class Tools {
    final AtomicInteger searches = new AtomicInteger();
    volatile Callable<String> search = () -> "a page";

    @Tool
    String search(int page) throws Exception {
      searches.incrementAndGet();
      return search.call();
    }

    @Tool
    String archive(int page) {
      return "an old page";
    }
  }

  private String ask() {
    return ask(QUESTION);
  }

  private String ask(String question) {
    return agent.prompt(question).call().content();
  }

  private void at(long seconds) {
    clock.set(Duration.ofSeconds(seconds).toNanos());
  }

  private ToolSnapshot search() {
    return registry.snapshot("search");
  }

  private void fail(int times) {
    tools.search =
        () -> {
          throw new IllegalStateException("the index is gone");
        };
    for (int i = 0; i < times; i++) {
      assertThat(ask()).isEqualTo("search says the index is gone");
    }
  }

  @Test
  void theModelGoesToAnotherToolUntilAProbeHasSucceeded() throws Exception {
    assertThat(ask()).isEqualTo("search says \"a page\"");
    fail(3);
    assertThat(search().circuitState()).isEqualTo(OPEN);
    assertThat(ask()).isEqualTo("archive says \"an old page\"");
    assertThat(tools.searches).hasValue(4);

    at(30);
    CountDownLatch probing = new CountDownLatch(1);
    CountDownLatch recovered = new CountDownLatch(1);
    tools.search =
        () -> {
          probing.countDown();
          assertThat(recovered.await(30, SECONDS)).isTrue();
          return "a new page";
        };
    Future<String> probe = users.submit(() -> ask());
    assertThat(probing.await(30, SECONDS)).isTrue();
    assertThat(search().circuitState()).isEqualTo(HALF_OPEN);
    for (int i = 0; i < 3; i++) {
      Future<String> other = users.submit(() -> ask());
      assertThat(other.get()).isEqualTo("archive says \"an old page\"");
    }
    assertThat(tools.searches).hasValue(5);

    recovered.countDown();
    assertThat(probe.get()).isEqualTo("search says \"a new page\"");
    assertThat(search().circuitState()).isEqualTo(CLOSED);
    assertThat(ask()).isEqualTo("search says \"a new page\"");
  }

  /** Many users' loops ask at the same moment, and one of them is the probe. */
  @Test
  void oneOfManyUsersIsTheProbe() throws Exception {
    fail(3);
    at(30);
    int before = tools.searches.get();
    CountDownLatch told = new CountDownLatch(7);
    tools.search =
        () -> {
          assertThat(told.await(30, SECONDS)).isTrue(); // all others have gone elsewhere
          return "a page";
        };
    Callable<String> user =
        () -> {
          String answer = ask();
          told.countDown();
          return answer;
        };
    List<Future<String>> answers = users.invokeAll(Collections.nCopies(8, user));
    int probes = 0;
    for (Future<String> answer : answers) {
      probes += answer.get().startsWith("search") ? 1 : 0;
    }
    assertThat(probes).isEqualTo(1);
    assertThat(tools.searches).hasValue(before + 1);
  }

  @Test
  void aTextThatTellsOfAFailureIsOneAndReachesTheModel() {
    tools.search = () -> "no connection";
    assertThat(ask()).isEqualTo("search says \"no connection\"");
    assertThat(search().failures()).isEqualTo(1);
    assertThat(search().successes()).isZero();
  }

  @Test
  void argumentsThatCannotBeReadSayNothingOfTheTool() {
    assertThat(ask("{\"page\": \"seven\"}")).startsWith("search says ").contains("seven");
    assertThat(ask("{\"page\"")).startsWith("search says ");
    assertThatThrownBy(() -> ask("{}")).isInstanceOf(IllegalArgumentException.class);
    assertThat(tools.searches).hasValue(0);
    assertThat(search().total()).isZero();
  }

  @Test
  void argumentsOfAFunctionThatCannotBeReadSayNothingOfItEither() {
    ToolCallback function =
        guarded(
            FunctionToolCallback.builder("search", (Integer page) -> "a page")
                .inputType(Integer.class)
                .build());
    assertThatThrownBy(() -> function.call("\"seven\"")).isNotNull();
    assertThat(search().total()).isZero();
    assertThat(function.call("7")).isEqualTo("\"a page\"");
    assertThat(search().successes()).isEqualTo(1);
  }

  /** A tool that cannot read its own source has failed, though it says so by the same exception. */
  @Test
  void whatTheToolCannotReadIsItsFailure() {
    tools.search = () -> JsonMapper.shared().readTree("<html>").toString();
    ask();
    tools.search = () -> String.valueOf(Integer.parseInt("<html>"));
    ask();
    assertThat(search().failures()).isEqualTo(2);
  }

  @Test
  void whatAToolThrowsIsThrownOnAsItIs() {
    ToolExecutionException thrown =
        new ToolExecutionException(guarded(context -> "").getToolDefinition(), new Exception("io"));
    ToolCallback tool =
        guarded(
            context -> {
              throw thrown;
            });
    assertThatThrownBy(() -> tool.call(QUESTION)).isSameAs(thrown);
    assertThat(search().failures()).isEqualTo(1);
  }

  @Test
  void theToolGetsItsContext() {
    ToolCallback tool = guarded(context -> String.valueOf(context.getContext().get("user")));
    assertThat(tool.call(QUESTION, new ToolContext(Map.of("user", "ann")))).isEqualTo("\"ann\"");
  }

  @Test
  void whatIsSaidOfAToolIsKept() {
    ToolCallback plain = FunctionToolCallback.builder("search", () -> "").build();
    ToolCallback guarded = guarded(plain);
    assertThat(guarded.getToolDefinition()).isSameAs(plain.getToolDefinition());
    assertThat(guarded.getToolMetadata()).isSameAs(plain.getToolMetadata());
  }

  /** The slot of a probe that was interrupted is free at once (GATE-5). */
  @Test
  void anInterruptedProbeGivesItsSlotBack() throws Exception {
    fail(3);
    at(30);
    CountDownLatch probing = new CountDownLatch(1);
    tools.search =
        () -> {
          probing.countDown();
          new CountDownLatch(1).await();
          return "never";
        };
    CountDownLatch left = new CountDownLatch(1);
    Future<?> probe =
        users.submit(
            () -> {
              assertThatThrownBy(this::ask).isInstanceOf(CancellationException.class);
              assertThat(Thread.interrupted()).isTrue();
              left.countDown();
            });
    assertThat(probing.await(30, SECONDS)).isTrue();
    probe.cancel(true);
    assertThat(left.await(30, SECONDS)).isTrue();
    assertThat(search().failures()).isEqualTo(3);
    tools.search = () -> "a page";
    assertThat(ask()).isEqualTo("search says \"a page\"");
  }

  @Test
  void aRefusalIsTheTextThatItIs() {
    fail(3);
    assertThat(guarded(context -> "a page").call(QUESTION)).isEqualTo(ToolResult.Refused.TEXT);
  }

  /** A guarded tool that goes by its context alone. */
  private ToolCallback guarded(Function<@Nullable ToolContext, String> tool) {
    return guarded(
        FunctionToolCallback.<Object, String>builder(
                "search", (page, context) -> tool.apply(context))
            .inputType(Object.class)
            .build());
  }

  private ToolCallback guarded(ToolCallback tool) {
    return new GuardedToolCallback(registry, tool, text -> false);
  }
}

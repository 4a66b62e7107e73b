package dev.toolhealth.examples.mcp;

import static io.modelcontextprotocol.spec.McpSchema.ErrorCodes.INTERNAL_ERROR;
import static io.modelcontextprotocol.spec.McpSchema.ErrorCodes.INVALID_PARAMS;
import static io.modelcontextprotocol.spec.McpSchema.ErrorCodes.INVALID_REQUEST;
import static io.modelcontextprotocol.spec.McpSchema.ErrorCodes.METHOD_NOT_FOUND;
import static io.modelcontextprotocol.spec.McpSchema.ErrorCodes.RESOURCE_NOT_FOUND;
import static io.modelcontextprotocol.spec.McpSchema.ErrorCodes.URL_ELICITATION_REQUIRED;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.CircuitState;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolSnapshot;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import dev.toolhealth.examples.mcp.ToolServer.Mode;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Clients and real server processes. One injected clock drives the breakers and the clients. */
@Timeout(120)
class McpToolGuardTest {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final String TIMED_OUT = "the tool did not answer in time";

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final ToolHealthRegistry registry =
      ToolHealthRegistry.builder().nanoClock(() -> time.now(NANOSECONDS)).build();
  private final McpToolGuard guard = new McpToolGuard(registry, "library");
  private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

  private final WatchedTransport transport = new WatchedTransport();
  private final McpSyncClient client =
      McpClient.sync(transport).requestTimeout(REQUEST_TIMEOUT).build();
  private final List<Runnable> closing = new ArrayList<>();
  private final List<ProcessHandle> servers = new ArrayList<>();

  @BeforeEach
  void start() {
    // The time limits of clients run on this scheduler.
    Schedulers.setFactory(
        new Schedulers.Factory() {
          @Override
          public Scheduler newParallel(int parallelism, ThreadFactory threads) {
            return time;
          }
        });
    closing.add(client::closeGracefully);
    client.initialize();
    servers.add(process(client.callTool(becoming(Mode.ANSWER))));
  }

  @AfterEach
  void stop() throws Exception {
    Schedulers.resetFactory(); // closing needs real time
    closing.forEach(Runnable::run);
    otherThread.shutdownNow();
    assertThat(otherThread.awaitTermination(20, SECONDS)).isTrue();
    for (ProcessHandle server : servers) {
      server.onExit().get(20, SECONDS);
      assertThat(server.isAlive()).isFalse();
    }
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  private static CallToolRequest request(String tool) {
    return CallToolRequest.builder(tool).build();
  }

  private static CallToolRequest becoming(Mode mode) {
    return CallToolRequest.builder("become").arguments(Map.of("mode", mode.name())).build();
  }

  private static ProcessHandle process(CallToolResult became) {
    return ProcessHandle.of(Long.parseLong(text(became))).orElseThrow();
  }

  private static CallToolResult answer(Mono<CallToolResult> call) {
    return Objects.requireNonNull(call.block());
  }

  private static String text(CallToolResult result) {
    return ((TextContent) result.content().get(0)).text();
  }

  private void become(Mode mode) {
    assertThat(text(client.callTool(becoming(mode)))).isEqualTo(servers.get(0).pid() + "");
  }

  private void at(Duration instant) {
    time.advanceTimeTo(Instant.EPOCH.plus(instant));
  }

  private void at(long seconds) {
    at(Duration.ofSeconds(seconds));
  }

  private CallToolResult search() {
    return search(Map.of());
  }

  private CallToolResult search(Map<String, Object> arguments) {
    return guard.callTool(client, CallToolRequest.builder("search").arguments(arguments).build());
  }

  private Future<CallToolResult> searchInOtherThread() {
    return otherThread.submit(() -> search());
  }

  private void trip() {
    become(Mode.FAIL);
    for (int i = 0; i < 3; i++) {
      search();
    }
    assertThat(snapshot().circuitState()).isEqualTo(CircuitState.OPEN);
  }

  private ToolSnapshot snapshot() {
    return registry.snapshot("library/search");
  }

  /** Plays a model that searches, and turns to the archive when the search is refused. */
  private List<String> answersThatAModelReads() {
    List<String> read = new ArrayList<>();
    read.add(text(search()));
    if (read.contains(ToolResult.Refused.TEXT)) {
      read.add(text(guard.callTool(client, request("archive"))));
    }
    return read;
  }

  private static void assertError(CallToolResult result, String text) {
    assertThat(text(result)).isEqualTo(text);
    assertThat(result.isError()).isTrue();
  }

  @Test
  void aProbeThatHangsIsGivenBackByTheRequestTimeout() throws Exception {
    become(Mode.FAIL);
    assertThat(answersThatAModelReads()).containsExactly("index is down");
    become(Mode.THROW);
    assertThat(answersThatAModelReads()).containsExactly("index is broken");
    assertThat(answersThatAModelReads()).containsExactly("index is broken");
    assertThat(answersThatAModelReads())
        .containsExactly(ToolResult.Refused.TEXT, "found in the archive");

    at(30);
    become(Mode.HANG);
    Future<CallToolResult> probe = searchInOtherThread();
    transport.awaitHanging();
    assertThat(answersThatAModelReads())
        .containsExactly(ToolResult.Refused.TEXT, "found in the archive");
    assertThat(probe).isNotDone();
    at(35);
    assertError(probe.get(20, SECONDS), TIMED_OUT);

    become(Mode.ANSWER);
    transport.awaitLateAnswer();
    at(Duration.ofSeconds(65).minusNanos(1));
    assertThat(answersThatAModelReads())
        .containsExactly(ToolResult.Refused.TEXT, "found in the archive");
    at(65);
    assertThat(answersThatAModelReads()).containsExactly("found");
    assertThat(answersThatAModelReads()).containsExactly("found");
    assertThat(snapshot().failures()).isEqualTo(4);
    assertThat(snapshot().successes()).isEqualTo(2);
    assertThat(snapshot().maxDuration()).isEqualTo(REQUEST_TIMEOUT);
    assertThat(registry.healthSummary()).containsOnlyKeys("library/search", "library/archive");
  }

  /** Field case C13: the tool did not run, even if the call was the probe. */
  @Test
  void whatIsTheCallersFaultRecordsNothing() {
    trip();
    at(30);
    become(Mode.REJECT);
    for (int code : List.of(INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS)) {
      assertError(search(Map.of("code", code)), "no such search");
    }
    assertError(guard.callTool(client, request("made-up")), "Unknown tool: invalid_tool_name");
    assertThat(snapshot().total()).isEqualTo(3);
    assertThat(registry.snapshot("library/made-up").total()).isZero();
    become(Mode.ANSWER);
    assertThat(text(search())).isEqualTo("found");
  }

  /** GATE-8: the tool is alive, so the answer ends a failure run and closes as a probe. */
  @Test
  void anErrorThatTheToolHasAnsweredIsASuccess() {
    become(Mode.FAIL);
    search();
    search();
    become(Mode.REJECT);
    for (int code : List.of(RESOURCE_NOT_FOUND, URL_ELICITATION_REQUIRED)) {
      assertError(search(Map.of("code", code)), "no such search");
    }
    assertThat(snapshot().consecutiveFailures()).isZero();
    assertThat(snapshot().successes()).isEqualTo(2);
    trip();
    at(30);
    become(Mode.REJECT);
    assertError(search(Map.of("code", RESOURCE_NOT_FOUND)), "no such search");
    assertThat(snapshot().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertError(search(Map.of("code", INTERNAL_ERROR)), "no such search");
    assertThat(snapshot().failures()).isEqualTo(6);
  }

  /** Such an answer looks exactly like a failure of the tool. */
  @Test
  void argumentsThatTheServerFindsWrongAreAFailure() {
    assertThat(text(search(Map.of("query", 5)))).contains("input validation failed");
    assertThat(snapshot().failures()).isEqualTo(1);
  }

  @Test
  void theProgramCanTellAnErrorResultFromAFailure() {
    McpToolGuard lenient =
        new McpToolGuard(
            registry,
            "library",
            call ->
                call.value() instanceof CallToolResult result
                        && text(result).contains("input validation failed")
                    ? Verdict.NO_OUTCOME
                    : McpToolGuard.defaultVerdict(call));
    CallToolRequest wrong = CallToolRequest.builder("search").arguments(Map.of("query", 5)).build();
    assertThat(lenient.callTool(client, wrong).isError()).isTrue();
    assertThat(snapshot().total()).isZero();
    become(Mode.FAIL);
    assertError(lenient.callTool(client, request("search")), "index is down");
    assertThat(snapshot().failures()).isEqualTo(1);
  }

  /** GATE-7, whichever way the text takes. */
  @Test
  void aHugeErrorIsShortened() {
    Map<String, Object> arguments = Map.of("times", 300_000, "code", INVALID_PARAMS);
    assertThat(text(search(arguments))).as("an answer may be long").hasSize(1_500_000);
    become(Mode.FAIL);
    CallToolResult failed = search(arguments);
    assertShortened(failed, "index is down");
    assertThat(failed.content())
        .as("the image stays")
        .hasSize(2)
        .element(1)
        .isInstanceOf(ImageContent.class);
    become(Mode.THROW);
    assertShortened(search(arguments), "index is broken");
    become(Mode.REJECT);
    assertShortened(search(arguments), "no such search");
    assertThat(snapshot().failures()).isEqualTo(2);
  }

  private static void assertShortened(CallToolResult result, String start) {
    assertThat(result.isError()).isTrue();
    assertThat(text(result))
        .startsWith(start + start)
        .endsWith(" more characters]")
        .hasSizeBetween(1_900, 2_000);
  }

  @Test
  void aServerThatIsGoneIsAFailureAndAnOrdinaryResult() throws Exception {
    become(Mode.HANG);
    Future<CallToolResult> inUse = searchInOtherThread();
    transport.awaitHanging();
    servers.get(0).destroyForcibly();
    servers.get(0).onExit().get(20, SECONDS);
    at(5);
    assertError(inUse.get(20, SECONDS), TIMED_OUT);

    for (int i = 2; i <= 3; i++) {
      transport.forgetSent();
      Future<CallToolResult> call = searchInOtherThread();
      transport.awaitSent();
      at(5L * i);
      assertThat(call.get(20, SECONDS).isError()).isTrue();
      assertThat(snapshot().failures()).isEqualTo(i);
    }
    assertError(search(), ToolResult.Refused.TEXT);
  }

  /** Field case C14: an interrupt says nothing about the tool. */
  @Test
  void anInterruptedCallHasNoOutcome() throws Exception {
    trip();
    at(30);
    become(Mode.HANG);
    Future<Boolean> interrupted =
        otherThread.submit(
            () -> {
              assertThatThrownBy(this::search).isInstanceOf(CancellationException.class);
              return Thread.currentThread().isInterrupted();
            });
    transport.awaitHanging();
    otherThread.shutdownNow();
    assertThat(interrupted.get(20, SECONDS)).isTrue();
    assertThat(snapshot().total()).isEqualTo(3);
    become(Mode.ANSWER);
    transport.awaitLateAnswer();
    assertThat(text(search())).isEqualTo("found");
  }

  @Test
  void toolsOfOneNameAreTrackedByServer() {
    trip();
    McpToolGuard another = new McpToolGuard(registry, "museum");
    assertError(another.callTool(client, request("search")), "index is down");
    assertThat(registry.snapshot("museum/search").failures()).isEqualTo(1);
    assertThat(snapshot().failures()).isEqualTo(3);
  }

  @Test
  void anAsyncClientIsGuardedToo() throws Exception {
    WatchedTransport own = new WatchedTransport();
    McpAsyncClient async = McpClient.async(own).requestTimeout(REQUEST_TIMEOUT).build();
    closing.add(() -> async.closeGracefully().block(Duration.ofSeconds(20)));
    async.initialize().block();
    servers.add(process(answer(async.callTool(becoming(Mode.FAIL)))));

    for (int i = 0; i < 3; i++) {
      assertError(answer(guard.callTool(async, request("search"))), "index is down");
    }
    assertError(answer(guard.callTool(async, request("search"))), ToolResult.Refused.TEXT);

    at(30);
    answer(async.callTool(becoming(Mode.HANG)));
    CompletableFuture<CallToolResult> cancelled =
        guard.callTool(async, request("search")).toFuture();
    own.awaitHanging();
    assertThat(snapshot().circuitState())
        .as("a pending call is not a success")
        .isEqualTo(CircuitState.HALF_OPEN);
    assertThat(snapshot().total()).isEqualTo(3);
    cancelled.cancel(true);
    CompletableFuture<CallToolResult> slow = guard.callTool(async, request("search")).toFuture();
    own.awaitHanging();
    at(35);
    assertError(slow.get(20, SECONDS), TIMED_OUT);
    assertThat(snapshot().failures()).isEqualTo(4);

    at(65);
    answer(async.callTool(becoming(Mode.ANSWER)));
    assertThat(
            text(
                answer(
                    guard
                        .callTool(async, request("search"))
                        .contextWrite(context -> context.put("user", "Ada")))))
        .isEqualTo("found");
    assertThat(own.user()).isEqualTo("Ada");
  }
}

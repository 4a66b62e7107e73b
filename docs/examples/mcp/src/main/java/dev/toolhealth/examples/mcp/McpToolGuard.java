package dev.toolhealth.examples.mcp;

import static java.lang.Boolean.TRUE;

import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.FinishedCall;
import dev.toolhealth.dispatch.ToolDispatcher;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * A caller of the tools of one MCP server, with a circuit breaker in front of each tool.
 *
 * <p>Every call ends with a result that the model can read. A refusal, an exception and a timeout
 * become results with {@code isError}: without the mark, their text would pass for the tool's
 * answer and break the tool's output schema.
 *
 * <p>Safe for use by multiple threads.
 */
public final class McpToolGuard {
  /** The default of {@link ToolDispatcher#withMaxErrorLength}. */
  private static final int MAX_ERROR_LENGTH = 2_000;

  /** The server has rejected the request before the tool ran, or there is no such tool. */
  private static final Set<Integer> NOT_RUN =
      Set.of(ErrorCodes.INVALID_REQUEST, ErrorCodes.METHOD_NOT_FOUND, ErrorCodes.INVALID_PARAMS);

  /** The tool has answered. */
  private static final Set<Integer> ALIVE =
      Set.of(ErrorCodes.RESOURCE_NOT_FOUND, ErrorCodes.URL_ELICITATION_REQUIRED);

  private final String server;
  private final ToolDispatcher dispatcher;

  /**
   * Creates a guard that reads and records health under {@code server/tool}, because two servers
   * may have tools of the same name.
   *
   * @param registry the health of the tools
   * @param server this program's own name for the server; servers may give themselves the same name
   */
  public McpToolGuard(ToolHealthRegistry registry, String server) {
    this(registry, server, McpToolGuard::defaultVerdict);
  }

  /**
   * Creates a guard with another function that decides what a finished call means for the tool's
   * health (GATE-8). The function replaces {@link #defaultVerdict} and can call it. The value of a
   * call is a {@link CallToolResult}.
   */
  public McpToolGuard(
      ToolHealthRegistry registry, String server, Function<? super FinishedCall, Verdict> verdict) {
    this.server = Objects.requireNonNull(server, "server");
    this.dispatcher = new ToolDispatcher(registry).withVerdict(verdict);
  }

  /**
   * Returns a success for an answer of the tool, including the protocol errors "resource not found"
   * and "URL elicitation required"; no outcome for the protocol errors "invalid request", "method
   * not found" and "invalid params", which servers send without running a tool; and a failure for a
   * result with {@code isError} and for every other exception, such as a timeout.
   */
  public static Verdict defaultVerdict(FinishedCall call) {
    if (call.exception() instanceof McpError error) {
      int code = error.getJsonRpcError().code();
      return NOT_RUN.contains(code)
          ? Verdict.NO_OUTCOME
          : ALIVE.contains(code) ? Verdict.SUCCESS : Verdict.FAILURE;
    }
    return call.value() instanceof CallToolResult result && TRUE.equals(result.isError())
        ? Verdict.FAILURE
        : call.defaultVerdict();
  }

  /**
   * Calls a tool in this thread.
   *
   * @throws CancellationException if the thread was interrupted
   */
  public CallToolResult callTool(McpSyncClient client, CallToolRequest request) {
    return toResult(dispatcher.dispatch(health(request), tool -> client.callTool(request)));
  }

  /** Calls a tool at each subscription. Cancelling the subscription abandons the call. */
  public Mono<CallToolResult> callTool(McpAsyncClient client, CallToolRequest request) {
    return Mono.deferContextual(
            context ->
                Mono.fromFuture(
                    () ->
                        dispatcher.dispatchAsync(
                            health(request),
                            tool -> client.callTool(request).contextWrite(context).toFuture())))
        .map(McpToolGuard::toResult);
  }

  private String health(CallToolRequest request) {
    return server + "/" + request.name();
  }

  private static CallToolResult toResult(ToolResult<CallToolResult> outcome) {
    if (outcome instanceof ToolResult.Completed<CallToolResult> completed) {
      CallToolResult result = completed.value();
      return TRUE.equals(result.isError()) ? shortened(result) : result;
    }
    if (outcome instanceof ToolResult.Failed<CallToolResult> failed) {
      if (failed.value() != null) {
        return shortened(failed.value());
      }
      if (isTimeout(failed.cause())) {
        return error("the tool did not answer in time");
      }
    }
    return error(outcome.text());
  }

  private static boolean isTimeout(@Nullable Throwable thrown) {
    return thrown != null && Exceptions.unwrap(thrown) instanceof TimeoutException;
  }

  private static CallToolResult error(String text) {
    return CallToolResult.builder().addTextContent(text).isError(true).build();
  }

  /** Bounds the text of an error result (GATE-7). Everything else in the result stays the same. */
  private static CallToolResult shortened(CallToolResult result) {
    String text =
        result.content().stream()
            .filter(TextContent.class::isInstance)
            .map(content -> ((TextContent) content).text())
            .collect(Collectors.joining("\n"));
    if (text.length() <= MAX_ERROR_LENGTH) {
      return result;
    }
    int kept = MAX_ERROR_LENGTH - 40; // room for the note
    if (Character.isSurrogatePair(text.charAt(kept - 1), text.charAt(kept))) {
      kept--; // between code points
    }
    String note = " ... [" + (text.length() - kept) + " more characters]";
    Stream<Content> others =
        result.content().stream().filter(content -> !(content instanceof TextContent));
    List<Content> contents =
        Stream.concat(
                Stream.of(TextContent.builder(text.substring(0, kept) + note).build()), others)
            .toList();
    return new CallToolResult(
        contents, result.isError(), result.structuredContent(), result.meta());
  }
}

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
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;

/**
 * Calls the tools of one MCP server through their gates. Whatever comes of a call is a result that
 * the model reads. One that is not the tool's own, such as a refusal, has {@code isError}: it would
 * pass for the tool's answer without, and break the tool's output schema if there is one.
 *
 * <p>Failures are a tool's own result with {@code isError}, the client's request timeout, and every
 * exception, be it that the server is gone; save protocol errors that are the caller's fault, such
 * as an unknown tool or invalid arguments: those say nothing of the tool. Nor does a call that was
 * interrupted or cancelled.
 */
public final class McpToolGuard {
  private static final Set<Integer> CALLERS_FAULT =
      Set.of(ErrorCodes.INVALID_REQUEST, ErrorCodes.METHOD_NOT_FOUND, ErrorCodes.INVALID_PARAMS);

  private final String server;
  private final ToolDispatcher dispatcher;

  /**
   * Guards a server's tools. Their health goes by {@code server/tool}, as two servers may have
   * tools of one name.
   *
   * @param registry the tools' health
   * @param server what this program calls the server; the name that a server has given itself may
   *     be another's too
   */
  public McpToolGuard(ToolHealthRegistry registry, String server) {
    this.server = Objects.requireNonNull(server, "server");
    this.dispatcher = new ToolDispatcher(registry).withVerdict(McpToolGuard::verdict);
  }

  /**
   * Calls a tool in this thread.
   *
   * @throws CancellationException if the thread was interrupted
   */
  public CallToolResult callTool(McpSyncClient client, CallToolRequest request) {
    return toResult(dispatcher.dispatch(health(request), tool -> client.callTool(request)));
  }

  /** Calls a tool at each subscription; one that is cancelled gives the call up. */
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

  private static Verdict verdict(FinishedCall call) {
    if (call.exception() instanceof McpError error
        && CALLERS_FAULT.contains(error.getJsonRpcError().code())) {
      return Verdict.NO_OUTCOME;
    }
    return call.value() instanceof CallToolResult result && TRUE.equals(result.isError())
        ? Verdict.FAILURE
        : call.defaultVerdict();
  }

  private String health(CallToolRequest request) {
    return server + "/" + request.name();
  }

  private static CallToolResult toResult(ToolResult<CallToolResult> outcome) {
    if (outcome instanceof ToolResult.Completed<CallToolResult> completed) {
      return completed.value();
    }
    String text = outcome.text();
    if (outcome instanceof ToolResult.Failed<CallToolResult> failed) {
      if (failed.value() != null) {
        return failed.value();
      }
      Throwable cause = failed.cause();
      if (cause != null && Exceptions.unwrap(cause) instanceof TimeoutException) {
        text = "the tool did not answer in time";
      }
    }
    return CallToolResult.builder().addTextContent(text).isError(true).build();
  }
}

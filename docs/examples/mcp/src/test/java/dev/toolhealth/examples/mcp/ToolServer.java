package dev.toolhealth.examples.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * An MCP server that runs as its own process. Its tool {@code archive} always works, and the tool
 * {@code become} sets how {@code search} behaves.
 */
final class ToolServer {
  /** How {@code search} behaves. */
  enum Mode {
    ANSWER,
    FAIL,
    THROW,
    /** Answers with the protocol error whose code is in the request. */
    REJECT,
    /** Prints a line to the standard error output, and answers after the next {@code become}. */
    HANG
  }

  private static final Map<String, Object> SCHEMA =
      Map.of("type", "object", "properties", Map.of("query", Map.of("type", "string")));

  private volatile Mode mode = Mode.ANSWER;
  private volatile CountDownLatch hang = new CountDownLatch(1);

  private ToolServer() {}

  /** Serves on the standard input and output until the parent process ends. */
  public static void main(String[] args) {
    ToolServer server = new ToolServer();
    McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
        .serverInfo("tools", "1")
        .capabilities(ServerCapabilities.builder().tools(false).build())
        .toolCall(tool("archive"), (exchange, request) -> text("found in the archive"))
        .toolCall(tool("search"), (exchange, request) -> server.search(request))
        .toolCall(tool("become"), (exchange, request) -> server.become(request))
        .build();
    ProcessHandle.current().parent().orElseThrow().onExit().join();
    System.exit(0);
  }

  private static Tool tool(String name) {
    return Tool.builder(name, SCHEMA).build();
  }

  private static CallToolResult text(String text) {
    return CallToolResult.builder().addTextContent(text).build();
  }

  private static Object argument(CallToolRequest request, String name) {
    return Objects.requireNonNull(request.arguments().get(name), name);
  }

  /** Answers with the id of this process. */
  private CallToolResult become(CallToolRequest request) {
    mode = Mode.valueOf((String) argument(request, "mode"));
    hang.countDown();
    hang = new CountDownLatch(1);
    return text(String.valueOf(ProcessHandle.current().pid()));
  }

  /** Repeats a text as often as the request asks. */
  private static String repeated(String text, CallToolRequest request) {
    Map<String, Object> arguments = request.arguments();
    return arguments != null && arguments.get("times") instanceof Number times
        ? text.repeat(times.intValue())
        : text;
  }

  private CallToolResult search(CallToolRequest request) {
    return switch (mode) {
      case ANSWER -> text(repeated("found", request));
      case FAIL ->
          CallToolResult.builder()
              .addTextContent(repeated("index is down", request))
              .addContent(ImageContent.builder("AAAA", "image/png").build())
              .isError(true)
              .build();
      case THROW -> throw new IllegalStateException(repeated("index is broken", request));
      case REJECT ->
          throw McpError.builder(((Number) argument(request, "code")).intValue())
              .message(repeated("no such search", request))
              .build();
      case HANG -> {
        CountDownLatch end = hang;
        System.err.println("hanging");
        try {
          end.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        yield text("found late");
      }
    };
  }
}

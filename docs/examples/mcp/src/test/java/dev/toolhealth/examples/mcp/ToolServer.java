package dev.toolhealth.examples.mcp;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/**
 * An MCP server, to be run as a process of its own. Of its tools {@code archive} works always, and
 * {@code search} as {@code become} has told it to.
 */
final class ToolServer {
  /** How {@code search} behaves. */
  enum Mode {
    ANSWER,
    FAIL,
    THROW,
    /** Blames the request, with the code that is in it. */
    REJECT,
    /** Says so on the standard error output, and answers when it becomes something else. */
    HANG
  }

  private static final Map<String, Object> SCHEMA =
      Map.of("type", "object", "properties", Map.of("query", Map.of("type", "string")));

  private volatile Mode mode = Mode.ANSWER;
  private volatile CountDownLatch hang = new CountDownLatch(1);

  private ToolServer() {}

  /** Serves on the standard input and output as long as the process that started it lives. */
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

  /** Answers with the number of this process. */
  private CallToolResult become(CallToolRequest request) {
    mode = Mode.valueOf((String) argument(request, "mode"));
    hang.countDown();
    hang = new CountDownLatch(1);
    return text(String.valueOf(ProcessHandle.current().pid()));
  }

  private CallToolResult search(CallToolRequest request) {
    return switch (mode) {
      case ANSWER -> text("found");
      case FAIL -> CallToolResult.builder().addTextContent("index is down").isError(true).build();
      case THROW -> throw new IllegalStateException("index is broken");
      case REJECT ->
          throw McpError.builder(((Number) argument(request, "code")).intValue())
              .message("no such search")
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

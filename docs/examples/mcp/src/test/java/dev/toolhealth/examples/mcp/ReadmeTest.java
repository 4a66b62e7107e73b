package dev.toolhealth.examples.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.Verdict;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The code of the README. */
class ReadmeTest {
  static CallToolResult call(
      ToolHealthRegistry registry, McpSyncClient client, CallToolRequest request) {
    McpToolGuard files = new McpToolGuard(registry, "files");
    CallToolResult result = files.callTool(client, request); // instead of client.callTool(request)
    return result;
  }

  static Mono<CallToolResult> callLater(
      McpToolGuard files, McpAsyncClient client, CallToolRequest request) {
    Mono<CallToolResult> result = files.callTool(client, request);
    return result;
  }

  static McpToolGuard withVerdict(ToolHealthRegistry registry) {
    McpToolGuard files =
        new McpToolGuard(
            registry,
            "files",
            call ->
                call.value() instanceof CallToolResult result && isBadArguments(result)
                    ? Verdict.NO_OUTCOME
                    : McpToolGuard.defaultVerdict(call));
    return files;
  }

  private static boolean isBadArguments(CallToolResult result) {
    return String.valueOf(result.meta()).contains("bad arguments");
  }

  /** Every unlabelled block of code in the README occurs above. */
  @Test
  void theReadmesCodeCompiles() throws IOException {
    String above =
        withoutSpace(
            Files.readString(Path.of("src/test/java/dev/toolhealth/examples/mcp/ReadmeTest.java")));
    List<String> blocks =
        Pattern.compile("(?ms)^```(\\w*)\\R(.*?)^```")
            .matcher(Files.readString(Path.of("README.md")))
            .results()
            .filter(block -> block.group(1).isEmpty())
            .map(block -> block.group(2))
            .toList();
    assertThat(blocks)
        .isNotEmpty()
        .allSatisfy(block -> assertThat(above).contains(withoutSpace(block)));
  }

  private static String withoutSpace(String code) {
    return code.replaceAll("//[^\n]*|\\s", "");
  }
}

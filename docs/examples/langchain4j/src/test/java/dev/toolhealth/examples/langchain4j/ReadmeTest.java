package dev.toolhealth.examples.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.AiServices;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of the README, and what the model reads. */
class ReadmeTest {
  static final class Web {
    @Tool
    @SuppressWarnings("DoNotCallSuggester") // the model calls it
    String search(@P(name = "query") String query) {
      throw new IllegalStateException("web is down");
    }
  }

  static final class Archive {
    @Tool
    String archive(@P(name = "query") String query) {
      return "from the archive";
    }
  }

  interface Assistant {
    String ask(String question);
  }

  static Assistant assistant(ToolHealthRegistry registry, ChatModel model) {
    ToolGuard guard = new ToolGuard(registry);
    Assistant assistant =
        AiServices.builder(Assistant.class)
            .chatModel(model)
            .tools(guard.toolsOf(new Web())) // instead of tools(new Web())
            .tools(new Archive()) // not guarded
            .build();
    return assistant;
  }

  @Test
  void theModelReadsWhatTheReadmeShows() {
    ScriptedModel model = new ScriptedModel(ScriptedModel::research);
    assistant(ToolHealthRegistry.ofDefaults(), model).ask("moon");
    assertThat(model.results())
        .extracting(ToolExecutionResultMessage::text)
        .containsExactly(
            "web is down",
            "web is down",
            "web is down",
            ToolResult.Refused.TEXT,
            "from the archive");
  }

  static final class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  static ToolGuard withVerdict(ToolHealthRegistry registry) {
    ToolGuard guard =
        new ToolGuard(
            registry,
            call ->
                call.exception() != null && call.exception().getCause() instanceof NotFoundException
                    ? Verdict.SUCCESS
                    : ToolGuard.defaultVerdict(call));
    return guard;
  }

  /** Every unlabelled block of code in the README occurs above. */
  @Test
  void theReadmesCodeCompiles() throws IOException {
    String above =
        withoutSpace(
            Files.readString(
                Path.of("src/test/java/dev/toolhealth/examples/langchain4j/ReadmeTest.java")));
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

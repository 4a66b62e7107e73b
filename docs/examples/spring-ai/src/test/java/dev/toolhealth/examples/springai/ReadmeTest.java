package dev.toolhealth.examples.springai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.tool.annotation.Tool;
import reactor.core.publisher.Flux;

/** The code of the README, and what the model reads. */
class ReadmeTest {
  static final class Web {
    @Tool
    @SuppressWarnings("DoNotCallSuggester") // the model calls it
    String search(String query) {
      throw new IllegalStateException("web is down");
    }
  }

  static final class Archive {
    @Tool
    String archive(String query) {
      return "from the archive";
    }
  }

  static ChatClient client(ToolHealthRegistry registry, ChatModel model) {
    ToolGuard guard = new ToolGuard(registry);
    ChatClient client =
        ChatClient.builder(model)
            .defaultTools(guard.toolsOf(new Web())) // instead of defaultTools(new Web())
            .defaultTools(new Archive()) // not guarded
            .build();
    return client;
  }

  @Test
  void theModelReadsWhatTheReadmeShows() {
    ScriptedModel model = new ScriptedModel(ScriptedModel::research);
    client(ToolHealthRegistry.ofDefaults(), model).prompt("moon").call().content();
    assertThat(model.results())
        .containsExactly(
            "web is down",
            "web is down",
            "web is down",
            ToolResult.Refused.TEXT,
            "\"from the archive\"");
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

  static Flux<String> stream(ToolHealthRegistry registry, ChatClient client, String question) {
    StreamGuard streams = new StreamGuard(registry);
    Flux<String> answer = streams.guard("model", () -> client.prompt(question).stream().content());
    return answer;
  }

  static Flux<ChatResponse> responses(StreamGuard streams, ChatClient client, String question) {
    Flux<ChatResponse> responses =
        streams.guard(
            "model",
            () -> client.prompt(question).stream().chatResponse(),
            text -> new ChatResponse(List.of(new Generation(new AssistantMessage(text)))));
    return responses;
  }

  /** Every unlabelled block of code in the README occurs above. */
  @Test
  void theReadmesCodeCompiles() throws IOException {
    String above =
        withoutSpace(
            Files.readString(
                Path.of("src/test/java/dev/toolhealth/examples/springai/ReadmeTest.java")));
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

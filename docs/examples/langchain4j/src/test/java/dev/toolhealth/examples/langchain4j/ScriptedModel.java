package dev.toolhealth.examples.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.toolhealth.dispatch.ToolResult;
import java.util.List;
import java.util.function.Function;

/** Decides by the messages that it is given, as a model does, and keeps the last ones. */
final class ScriptedModel implements ChatModel {
  private final Function<List<ChatMessage>, AiMessage> script;
  private volatile List<ChatMessage> read = List.of();

  ScriptedModel(Function<List<ChatMessage>, AiMessage> script) {
    this.script = script;
  }

  /**
   * Asks for search, and again after an error; for the archive if search is refused; answers with
   * what it then reads.
   */
  static AiMessage research(List<ChatMessage> messages) {
    String query = UserMessage.findLast(messages).orElseThrow().singleText();
    if (!(messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage result)) {
      return ask("search", "query", query);
    }
    if (result.text().equals(ToolResult.Refused.TEXT)) {
      return ask("archive", "query", query);
    }
    return result.isError() ? ask("search", "query", query) : AiMessage.from(result.text());
  }

  /** Asks a tool for the same as often as it is told, whatever comes of it, and then is done. */
  static Function<List<ChatMessage>, AiMessage> asking(int times, AiMessage request) {
    return messages -> results(messages).size() < times ? request : AiMessage.from("done");
  }

  static AiMessage ask(String tool, String argument, String value) {
    return AiMessage.from(
        ToolExecutionRequest.builder()
            .id("1")
            .name(tool)
            .arguments("{\"%s\": \"%s\"}".formatted(argument, value))
            .build());
  }

  /** The results of tools among these messages. */
  static List<ToolExecutionResultMessage> results(List<ChatMessage> messages) {
    return messages.stream()
        .filter(ToolExecutionResultMessage.class::isInstance)
        .map(ToolExecutionResultMessage.class::cast)
        .toList();
  }

  /** The results of tools in the conversation so far. */
  List<ToolExecutionResultMessage> results() {
    return results(read);
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    read = request.messages();
    return ChatResponse.builder().aiMessage(script.apply(request.messages())).build();
  }
}

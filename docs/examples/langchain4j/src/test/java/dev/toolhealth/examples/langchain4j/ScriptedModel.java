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

/** A model that follows a script. It keeps the messages that it read last. */
final class ScriptedModel implements ChatModel {
  private final Function<List<ChatMessage>, AiMessage> script;
  private volatile List<ChatMessage> read = List.of();

  ScriptedModel(Function<List<ChatMessage>, AiMessage> script) {
    this.script = script;
  }

  /**
   * Searches, and searches again after an error. Turns to the archive if the search is refused.
   * Answers with the first result that is neither.
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

  /** Calls a tool with the same input a number of times, whatever the results, and then answers. */
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

  /** Returns the results of tools among these messages. */
  static List<ToolExecutionResultMessage> results(List<ChatMessage> messages) {
    return messages.stream()
        .filter(ToolExecutionResultMessage.class::isInstance)
        .map(ToolExecutionResultMessage.class::cast)
        .toList();
  }

  /** Returns the results of tools in the conversation so far. */
  List<ToolExecutionResultMessage> results() {
    return results(read);
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    read = request.messages();
    return ChatResponse.builder().aiMessage(script.apply(request.messages())).build();
  }
}

package dev.toolhealth.examples.springai;

import dev.toolhealth.dispatch.ToolResult;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/** A model that follows a script. It keeps the messages that it read last. */
final class ScriptedModel implements ChatModel {
  /** The arguments of a search. */
  static final String MOON = "{\"query\": \"moon\", \"limit\": 3}";

  private final Function<List<Message>, AssistantMessage> script;
  private volatile List<Message> read = List.of();

  ScriptedModel(Function<List<Message>, AssistantMessage> script) {
    this.script = script;
  }

  /**
   * Searches, and searches again after an error. Turns to the archive if the search is refused.
   * Answers with the first result that is neither.
   */
  static AssistantMessage research(List<Message> messages) {
    if (messages.get(messages.size() - 1) instanceof UserMessage) {
      return ask("search", MOON);
    }
    List<String> results = results(messages);
    String last = results.get(results.size() - 1);
    if (last.equals(ToolResult.Refused.TEXT)) {
      return ask("archive", MOON);
    }
    return last.contains("down") ? ask("search", MOON) : new AssistantMessage(last);
  }

  /** Calls a tool with the same input a number of times, whatever the results, and then answers. */
  static Function<List<Message>, AssistantMessage> asking(int times, String tool, String input) {
    return messages ->
        results(messages).size() < times ? ask(tool, input) : new AssistantMessage("done");
  }

  private static AssistantMessage ask(String tool, String input) {
    return AssistantMessage.builder()
        .content("")
        .toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", tool, input)))
        .build();
  }

  private static List<String> results(List<Message> messages) {
    return messages.stream()
        .flatMap(
            message ->
                message instanceof ToolResponseMessage tools
                    ? tools.getResponses().stream()
                    : Stream.empty())
        .map(ToolResponseMessage.ToolResponse::responseData)
        .toList();
  }

  /** Returns the results of tools in the conversation so far. */
  List<String> results() {
    return results(read);
  }

  @Override
  public ChatOptions getOptions() {
    return ToolCallingChatOptions.builder().build();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    read = prompt.getInstructions();
    AssistantMessage next = Objects.requireNonNull(script.apply(read));
    return new ChatResponse(List.of(new Generation(next)));
  }
}

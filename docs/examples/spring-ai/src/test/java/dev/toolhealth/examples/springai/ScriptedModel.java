package dev.toolhealth.examples.springai;

import java.util.List;
import java.util.UUID;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * Asks the tool "search" for what the user says, and goes to the tool "archive" once it has read
 * that "search" is unavailable. Says what the last tool has answered.
 */
final class ScriptedModel implements ChatModel {

  @Override
  public ChatOptions getOptions() {
    return ToolCallingChatOptions.builder().build();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    List<Message> messages = prompt.getInstructions();
    if (!(messages.get(messages.size() - 1) instanceof ToolResponseMessage answers)) {
      return callTool("search", prompt.getUserMessage().getText());
    }
    ToolResponse answer = answers.getResponses().get(0);
    if (answer.name().equals("search") && answer.responseData().contains("unavailable")) {
      return callTool("archive", prompt.getUserMessage().getText());
    }
    return response(new AssistantMessage(answer.name() + " says " + answer.responseData()));
  }

  private static ChatResponse callTool(String name, String arguments) {
    ToolCall call = new ToolCall(UUID.randomUUID().toString(), "function", name, arguments);
    return response(AssistantMessage.builder().content("").toolCalls(List.of(call)).build());
  }

  private static ChatResponse response(AssistantMessage message) {
    return new ChatResponse(List.of(new Generation(message)));
  }
}

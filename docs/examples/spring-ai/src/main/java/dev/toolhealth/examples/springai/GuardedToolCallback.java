package dev.toolhealth.examples.springai;

import dev.toolhealth.ToolDispatcher;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.ToolResult;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;
import tools.jackson.core.JacksonException;

/**
 * Calls a tool through its gate. A refusal is a result that the model reads. All else is as without
 * a guard: what the tool returns is returned, what it throws is thrown on.
 *
 * <p>An exception is a failure of the tool, unless it says that the model's arguments cannot be
 * read. A call that was interrupted has no outcome.
 */
public final class GuardedToolCallback implements ToolCallback {
  private static final Pattern LIBRARIES = Pattern.compile("javax?\\.|jdk\\.|tools\\.jackson\\.");

  private final ToolCallback tool;
  private final ToolDispatcher dispatcher;

  /**
   * Guards a tool, whose health goes by its name.
   *
   * @param failureIf says of a text that the tool returns whether it tells of a failure
   */
  public GuardedToolCallback(
      ToolHealthRegistry registry, ToolCallback tool, Predicate<String> failureIf) {
    this.tool = tool;
    this.dispatcher =
        ToolDispatcher.builder(registry)
            .failureIf(value -> value instanceof String text && failureIf.test(text))
            .noOutcomeIf(GuardedToolCallback::isOfArguments)
            .build();
  }

  /** Guards whatever tools a provider has at the time when it is asked for them. */
  public static ToolCallbackProvider guard(
      ToolHealthRegistry registry, ToolCallbackProvider tools, Predicate<String> failureIf) {
    return () ->
        Stream.of(tools.getToolCallbacks())
            .map(tool -> new GuardedToolCallback(registry, tool, failureIf))
            .toArray(ToolCallback[]::new);
  }

  @Override
  public ToolDefinition getToolDefinition() {
    return tool.getToolDefinition();
  }

  @Override
  public ToolMetadata getToolMetadata() {
    return tool.getToolMetadata();
  }

  @Override
  public String call(String input) {
    return call(input, null);
  }

  @Override
  public String call(String input, @Nullable ToolContext context) {
    ToolResult<String> result =
        dispatcher.dispatch(getToolDefinition().name(), name -> callTool(input, context));
    if (result instanceof ToolResult.Failed<String> failed
        && failed.cause() instanceof RuntimeException thrown) {
      throw thrown;
    }
    return result.text();
  }

  private String callTool(String input, @Nullable ToolContext context) throws Exception {
    try {
      return tool.call(input, context);
    } catch (ToolExecutionException e) {
      // Spring AI wraps these too, and they are not the tool's.
      if (e.getCause() instanceof InterruptedException interruption) {
        throw interruption;
      }
      if (e.getCause() instanceof CancellationException cancellation) {
        throw cancellation;
      }
      throw e;
    }
  }

  /** Whether Spring AI could not read the arguments, rather than the tool whatever it has read. */
  private static boolean isOfArguments(Throwable thrown) {
    Throwable root = thrown;
    boolean isOfReading = false;
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      root = each;
      isOfReading |= each instanceof JacksonException || each instanceof IllegalArgumentException;
    }
    // A tool of somebody's own would stand between the parser and Spring AI.
    return isOfReading
        && Stream.of(root.getStackTrace())
            .map(StackTraceElement::getClassName)
            .filter(name -> !LIBRARIES.matcher(name).lookingAt())
            .findFirst()
            .filter(name -> name.startsWith("org.springframework.ai."))
            .isPresent();
  }
}

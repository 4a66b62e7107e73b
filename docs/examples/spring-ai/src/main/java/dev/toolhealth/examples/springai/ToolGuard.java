package dev.toolhealth.examples.springai;

import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.FinishedCall;
import dev.toolhealth.dispatch.ToolCall;
import dev.toolhealth.dispatch.ToolDispatcher;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;
import tools.jackson.core.JacksonException;

/**
 * Puts the tools of chat clients behind circuit breakers. A tool that was run answers, or throws,
 * as if it were not guarded. One that is refused answers with {@link ToolResult.Refused#TEXT}. Safe
 * for use by any number of threads, and clients.
 */
public final class ToolGuard {
  private static final Pattern PARSERS =
      Pattern.compile("javax?\\.|jdk\\.|sun\\.|tools\\.jackson\\.");

  private final ToolHealthRegistry registry;
  private final ToolDispatcher dispatcher;

  /** Guards tools by their health in this registry, under the names that the model calls. */
  public ToolGuard(ToolHealthRegistry registry) {
    this(registry, text -> false);
  }

  /** The same, and takes a text that a tool returns for a failure if the predicate says so. */
  public ToolGuard(ToolHealthRegistry registry, Predicate<String> failureIf) {
    this.registry = registry;
    dispatcher = new ToolDispatcher(registry).withVerdict(call -> verdict(call, failureIf));
  }

  /** Finds the methods of objects that are annotated with {@code @Tool}, and guards them. */
  public ToolCallbackProvider toolsOf(Object... objectsWithTools) {
    return guard(ToolCallbackProvider.from(ToolCallbacks.from(objectsWithTools)));
  }

  /** Guards the tools that a provider gives, whenever it is asked for them. */
  public ToolCallbackProvider guard(ToolCallbackProvider provider) {
    return () ->
        Stream.of(provider.getToolCallbacks()).map(this::guard).toArray(ToolCallback[]::new);
  }

  /** Guards one tool. */
  public ToolCallback guard(ToolCallback tool) {
    return new Guarded(tool);
  }

  private final class Guarded implements ToolCallback {
    private final ToolCallback tool;

    Guarded(ToolCallback tool) {
      this.tool = tool;
    }

    @Override
    public ToolDefinition getToolDefinition() {
      return tool.getToolDefinition();
    }

    /** Asked for just before the call: a refusal is for the model, whoever gets the results. */
    @Override
    public ToolMetadata getToolMetadata() {
      return registry.isToolAvailable(getToolDefinition().name())
          ? tool.getToolMetadata()
          : ToolMetadata.builder().returnDirect(false).build();
    }

    @Override
    public String call(String toolInput) {
      return dispatch(name -> tool.call(toolInput));
    }

    @Override
    public String call(String toolInput, @Nullable ToolContext toolContext) {
      return dispatch(name -> tool.call(toolInput, toolContext));
    }

    private String dispatch(ToolCall<String> call) {
      ToolResult<String> result = dispatcher.dispatch(getToolDefinition().name(), call);
      if (result instanceof ToolResult.Completed<String> completed) {
        return completed.value(); // not its text, which makes a word of null
      }
      if (result instanceof ToolResult.Failed<String> failed && failed.cause() != null) {
        throw rethrown(failed.cause());
      }
      return result.text();
    }

    private RuntimeException rethrown(Throwable thrown) {
      if (thrown.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt(); // lost when it was wrapped (GATE-5)
      }
      return thrown instanceof RuntimeException e
          ? e
          : new ToolExecutionException(getToolDefinition(), thrown);
    }
  }

  private static Verdict verdict(FinishedCall call, Predicate<String> failureIf) {
    Throwable thrown = call.exception();
    if (thrown != null && (isOfArguments(thrown) || isGivenUp(thrown))) {
      return Verdict.NO_OUTCOME;
    }
    return call.value() instanceof String text && failureIf.test(text)
        ? Verdict.FAILURE
        : call.defaultVerdict();
  }

  /** Whether Spring AI could not read the arguments, rather than the tool what it had to read. */
  private static boolean isOfArguments(Throwable thrown) {
    Throwable root = thrown;
    boolean isOfReading = false;
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      root = each;
      isOfReading |= each instanceof JacksonException || each instanceof IllegalArgumentException;
    }
    // Both look the same, but for who has called the parser.
    return isOfReading
        && Stream.of(root.getStackTrace())
            .map(StackTraceElement::getClassName)
            .filter(name -> !PARSERS.matcher(name).lookingAt())
            .findFirst()
            .filter(name -> name.startsWith("org.springframework.ai."))
            .isPresent();
  }

  /** The dispatcher cannot see these itself where they are wrapped. */
  private static boolean isGivenUp(Throwable thrown) {
    return thrown.getCause() instanceof InterruptedException
        || thrown.getCause() instanceof CancellationException;
  }
}

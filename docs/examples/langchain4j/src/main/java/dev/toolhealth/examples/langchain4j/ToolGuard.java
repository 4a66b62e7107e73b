package dev.toolhealth.examples.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.FinishedCall;
import dev.toolhealth.dispatch.ToolDispatcher;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker in front of each tool of an AI service. A tool that runs answers or throws as
 * it does without the guard, except that the text of a long error is shortened. A tool that is
 * refused answers with {@link ToolResult.Refused#TEXT}, marked as an error.
 *
 * <p>Safe for use by multiple threads and AI services.
 */
public final class ToolGuard {
  /** The default of {@link ToolDispatcher#withMaxErrorLength}. */
  private static final int MAX_ERROR_LENGTH = 2_000;

  private final ToolDispatcher dispatcher;

  /** Creates a guard that reads and records health under the names that the model calls. */
  public ToolGuard(ToolHealthRegistry registry) {
    this(registry, ToolGuard::defaultVerdict);
  }

  /**
   * Creates a guard with another function that decides what a finished call means for the tool's
   * health (GATE-8). The function replaces {@link #defaultVerdict} and can call it. The value of a
   * call is a {@link ToolExecutionResult}.
   */
  public ToolGuard(ToolHealthRegistry registry, Function<? super FinishedCall, Verdict> verdict) {
    dispatcher = new ToolDispatcher(registry).withVerdict(verdict);
  }

  /**
   * Returns no outcome if LangChain4j could not read the arguments, because the tool did not run
   * then, and if the call was cancelled or interrupted. Any other exception is a failure, and so is
   * a result that is marked as an error.
   */
  public static Verdict defaultVerdict(FinishedCall call) {
    if (call.exception() instanceof ToolArgumentsException || isCancellation(call.exception())) {
      return Verdict.NO_OUTCOME;
    }
    return call.value() instanceof ToolExecutionResult result && result.isError()
        ? Verdict.FAILURE
        : call.defaultVerdict();
  }

  /**
   * Finds the methods of an object that are annotated with {@code @Tool}, and guards them.
   *
   * @throws IllegalArgumentException if a method returns a future or a stream (GATE-6)
   */
  public List<AiServiceTool> toolsOf(Object objectWithTools) {
    return guard(ToolService.findTools(objectWithTools));
  }

  /** Guards tools. Their return behaviour stays the same. */
  public List<AiServiceTool> guard(List<AiServiceTool> tools) {
    return tools.stream()
        .map(tool -> tool.toBuilder().toolExecutor(guard(tool.toolExecutor())).build())
        .toList();
  }

  /** Guards the tools of a provider. */
  public ToolProvider guard(ToolProvider provider) {
    return new ToolProvider() {
      @Override
      public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
        ToolProviderResult result = provider.provideTools(request);
        return result == null ? null : new ToolProviderResult(guard(result.aiServiceTools()));
      }

      @Override
      public boolean isDynamic() {
        return provider.isDynamic();
      }
    };
  }

  /** Guards one tool. */
  public ToolExecutor guard(ToolExecutor tool) {
    if (tool instanceof DefaultToolExecutor method) {
      refusePendingResult(method.originalMethod());
    }
    return new ToolExecutor() {
      @Override
      public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
        // Not the tool's own execute: its text does not show whether it is an error.
        InvocationContext context = InvocationContext.builder().chatMemoryId(memoryId).build();
        return executeWithContext(request, context).resultText();
      }

      @Override
      public ToolExecutionResult executeWithContext(
          ToolExecutionRequest request, @Nullable InvocationContext context) {
        return result(
            dispatcher.dispatch(request.name(), name -> tool.executeWithContext(request, context)));
      }
    };
  }

  private static ToolExecutionResult result(ToolResult<ToolExecutionResult> outcome) {
    if (outcome instanceof ToolResult.Completed<ToolExecutionResult> completed) {
      ToolExecutionResult result = completed.value();
      return result.isError() ? shortened(result) : result;
    }
    if (outcome instanceof ToolResult.Failed<ToolExecutionResult> failed) {
      return failed.value() != null ? shortened(failed.value()) : rethrow(failed.cause());
    }
    // An error, so that the model reads the refusal even if the tool returns to the caller.
    return ToolExecutionResult.builder().isError(true).resultText(outcome.text()).build();
  }

  private static ToolExecutionResult rethrow(@Nullable Throwable thrown) {
    if (thrown != null && thrown.getCause() instanceof InterruptedException) {
      Thread.currentThread().interrupt(); // LangChain4j cleared it by wrapping (GATE-5)
    }
    throw shortened(thrown instanceof RuntimeException e ? e : new ToolExecutionException(thrown));
  }

  /** LangChain4j gives handlers, and by default the model, the cause or else the exception. */
  private static RuntimeException shortened(RuntimeException thrown) {
    Throwable error = thrown.getCause() != null ? thrown.getCause() : thrown;
    String message = error.getMessage();
    if (message == null || message.length() <= MAX_ERROR_LENGTH) {
      return thrown;
    }
    Throwable shortError = new ToolExecutionException(shortened(message), error);
    return thrown instanceof ToolArgumentsException e
        ? new ToolArgumentsException(shortError, e.errorCode())
        : new ToolExecutionException(
            shortError, thrown instanceof ToolExecutionException e ? e.errorCode() : null);
  }

  private static ToolExecutionResult shortened(ToolExecutionResult result) {
    String text =
        result.resultContents().stream()
            .filter(TextContent.class::isInstance)
            .map(content -> ((TextContent) content).text())
            .collect(Collectors.joining("\n"));
    if (text.length() <= MAX_ERROR_LENGTH) {
      return result;
    }
    Stream<Content> others =
        result.resultContents().stream().filter(content -> !(content instanceof TextContent));
    return result.toBuilder()
        .resultTextSupplier(null)
        .resultContents(
            Stream.concat(Stream.of(TextContent.from(shortened(text))), others).toList())
        .build();
  }

  /** Cuts a text between code points (GATE-7). */
  private static String shortened(String text) {
    int kept = MAX_ERROR_LENGTH - 40; // room for the note
    if (Character.isSurrogatePair(text.charAt(kept - 1), text.charAt(kept))) {
      kept--;
    }
    return text.substring(0, kept) + " ... [" + (text.length() - kept) + " more characters]";
  }

  /** LangChain4j would not wait: it makes JSON of the future or stream itself, and succeeds. */
  private static void refusePendingResult(Method method) {
    Class<?> type = method.getReturnType();
    if (CompletionStage.class.isAssignableFrom(type)
        || Future.class.isAssignableFrom(type)
        || Flow.Publisher.class.isAssignableFrom(type)
        || type.getName().startsWith("reactor.core.publisher.")
        || type.getName().equals("org.reactivestreams.Publisher")) {
      throw new IllegalArgumentException(
          "LangChain4j does not wait for the result of a tool, so %s must return the value itself"
              .formatted(method));
    }
  }

  /** The dispatcher does not see these where LangChain4j has wrapped them. */
  private static boolean isCancellation(@Nullable Throwable thrown) {
    return thrown != null
        && (thrown.getCause() instanceof InterruptedException
            || thrown.getCause() instanceof CancellationException);
  }
}

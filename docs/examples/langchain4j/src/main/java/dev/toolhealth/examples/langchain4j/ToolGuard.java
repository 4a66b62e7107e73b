package dev.toolhealth.examples.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
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
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Puts the tools of AI services behind circuit breakers. A tool that was run answers, or throws, as
 * if it were not guarded. One that is refused answers with {@link ToolResult.Refused#TEXT}, as an
 * error that the model reads. Safe for use by any number of threads, and services.
 */
public final class ToolGuard {
  private final ToolDispatcher dispatcher;

  /** Guards tools by their health in this registry, under the names that the model calls. */
  public ToolGuard(ToolHealthRegistry registry) {
    dispatcher = new ToolDispatcher(registry).withVerdict(ToolGuard::verdict);
  }

  /** Finds an object's methods that are annotated with {@code @Tool}, and guards them. */
  public List<AiServiceTool> toolsOf(Object objectWithTools) {
    return guard(ToolService.findTools(objectWithTools));
  }

  /** Guards tools; how their results are returned stays what it was. */
  public List<AiServiceTool> guard(List<AiServiceTool> tools) {
    return tools.stream()
        .map(tool -> tool.toBuilder().toolExecutor(guard(tool.toolExecutor())).build())
        .toList();
  }

  /** Guards the tools that a provider gives. */
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
    return new ToolExecutor() {
      @Override
      public String execute(ToolExecutionRequest request, @Nullable Object memoryId) {
        // Not by the tool's own execute: its text does not say whether it is an error.
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

  private static ToolExecutionResult result(ToolResult<ToolExecutionResult> result) {
    if (result instanceof ToolResult.Completed<ToolExecutionResult> completed) {
      return completed.value();
    }
    if (result instanceof ToolResult.Failed<ToolExecutionResult> failed) {
      return failed.value() != null ? failed.value() : rethrow(failed.cause());
    }
    // An error, so that the model reads it even if the tool's results go to the caller at once.
    return ToolExecutionResult.builder().isError(true).resultText(result.text()).build();
  }

  private static ToolExecutionResult rethrow(@Nullable Throwable thrown) {
    if (thrown != null && thrown.getCause() instanceof InterruptedException) {
      Thread.currentThread().interrupt(); // lost when it was wrapped (GATE-5)
    }
    throw thrown instanceof RuntimeException e ? e : new ToolExecutionException(thrown);
  }

  private static Verdict verdict(FinishedCall call) {
    if (call.exception() instanceof ToolArgumentsException || isGivenUp(call.exception())) {
      return Verdict.NO_OUTCOME;
    }
    return call.value() instanceof ToolExecutionResult result && result.isError()
        ? Verdict.FAILURE
        : call.defaultVerdict();
  }

  /** LangChain4j wraps what a tool throws, so that the dispatcher cannot see these itself. */
  private static boolean isGivenUp(@Nullable Throwable thrown) {
    return thrown != null
        && (thrown.getCause() instanceof InterruptedException
            || thrown.getCause() instanceof CancellationException);
  }
}

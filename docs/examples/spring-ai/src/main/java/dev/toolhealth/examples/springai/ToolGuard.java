package dev.toolhealth.examples.springai;

import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.FinishedCall;
import dev.toolhealth.dispatch.ToolCall;
import dev.toolhealth.dispatch.ToolDispatcher;
import dev.toolhealth.dispatch.ToolResult;
import dev.toolhealth.dispatch.Verdict;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;
import tools.jackson.core.JacksonException;

/**
 * A circuit breaker in front of each tool of a chat client. A tool that runs answers or throws as
 * it does without the guard, except that a long error message is shortened. A tool that is refused
 * answers with {@link ToolResult.Refused#TEXT}.
 *
 * <p>Safe for use by multiple threads and chat clients.
 */
public final class ToolGuard {
  private static final Pattern PARSERS =
      Pattern.compile("javax?\\.|jdk\\.|sun\\.|tools\\.jackson\\.");

  private final ToolHealthRegistry registry;
  private final ToolDispatcher dispatcher;

  /** Creates a guard that reads and records health under the names that the model calls. */
  public ToolGuard(ToolHealthRegistry registry) {
    this(registry, ToolGuard::defaultVerdict);
  }

  /**
   * Creates a guard with another function that decides what a finished call means for the tool's
   * health (GATE-8). The function replaces {@link #defaultVerdict} and can call it.
   */
  public ToolGuard(ToolHealthRegistry registry, Function<? super FinishedCall, Verdict> verdict) {
    this.registry = registry;
    dispatcher = new ToolDispatcher(registry).withVerdict(verdict);
  }

  /**
   * Returns no outcome if Spring AI could not read the arguments, because the tool did not run
   * then, and if the call was cancelled or interrupted. Any other exception is a failure.
   */
  public static Verdict defaultVerdict(FinishedCall call) {
    Throwable thrown = call.exception();
    return thrown != null && (isArgumentError(thrown) || isCancellation(thrown))
        ? Verdict.NO_OUTCOME
        : call.defaultVerdict();
  }

  /**
   * Finds the methods of objects that are annotated with {@code @Tool}, and guards them.
   *
   * @throws IllegalArgumentException if a method returns a future or a stream (GATE-6)
   */
  public ToolCallbackProvider toolsOf(Object... objectsWithTools) {
    Stream.of(objectsWithTools).forEach(ToolGuard::refusePendingResults);
    return guard(ToolCallbackProvider.from(ToolCallbacks.from(objectsWithTools)));
  }

  /** Guards the tools of a provider, including tools that the provider adds later. */
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

    /** Spring AI reads these just before the call. A refusal goes to the model, not the caller. */
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
        return completed.value(); // not text(), which turns null into a word
      }
      if (result instanceof ToolResult.Failed<String> failed && failed.cause() != null) {
        throw exception(failed.cause(), failed.error());
      }
      return result.text();
    }

    private RuntimeException exception(Throwable thrown, String shortMessage) {
      if (thrown.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt(); // Spring AI cleared it by wrapping (GATE-5)
      }
      if (thrown instanceof RuntimeException e && !(e instanceof ToolExecutionException)) {
        return e; // Spring AI throws it to the caller, so the model does not read it
      }
      ToolExecutionException e =
          thrown instanceof ToolExecutionException wrapped
              ? wrapped
              : new ToolExecutionException(getToolDefinition(), thrown);
      return e.getMessage() == null || e.getMessage().length() <= shortMessage.length()
          ? e
          : shortened(e, shortMessage);
    }
  }

  /** Spring AI makes the model read this message (GATE-7). Definition and cause stay the same. */
  private static ToolExecutionException shortened(ToolExecutionException e, String shortMessage) {
    Throwable cause = Objects.requireNonNull(e.getCause(), "Spring AI sets it");
    return new ToolExecutionException(e.getToolDefinition(), cause) {
      @Override
      public String getMessage() {
        return shortMessage;
      }
    };
  }

  /** Spring AI would not wait: it makes JSON of the future or stream itself, and succeeds. */
  private static void refusePendingResults(Object objectWithTools) {
    Class<?> type = AopUtils.getTargetClass(objectWithTools);
    for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
      Class<?> result = method.getReturnType();
      if (AnnotationUtils.findAnnotation(method, Tool.class) != null
          && (Future.class.isAssignableFrom(result)
              || ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null)) {
        throw new IllegalArgumentException(
            "Spring AI does not wait for the result of a tool, so %s must return the value itself"
                .formatted(method));
      }
    }
  }

  /** Returns whether Spring AI could not read the arguments. */
  private static boolean isArgumentError(Throwable thrown) {
    Throwable root = thrown;
    boolean isReadError = false;
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      root = each;
      isReadError |= each instanceof JacksonException || each instanceof IllegalArgumentException;
    }
    // A tool that cannot read its own data throws the same. The parser's caller is the difference.
    return isReadError
        && Stream.of(root.getStackTrace())
            .map(StackTraceElement::getClassName)
            .filter(name -> !PARSERS.matcher(name).lookingAt())
            .findFirst()
            .filter(name -> name.startsWith("org.springframework.ai."))
            .isPresent();
  }

  /** The dispatcher does not see these where Spring AI has wrapped them. */
  private static boolean isCancellation(Throwable thrown) {
    return thrown.getCause() instanceof InterruptedException
        || thrown.getCause() instanceof CancellationException;
  }
}

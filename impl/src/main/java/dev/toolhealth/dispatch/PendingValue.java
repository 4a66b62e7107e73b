package dev.toolhealth.dispatch;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Recognition of values that are only the promise of a result (GATE-6). A success must not be
 * recorded for a promise, because nobody knows yet whether the tool works.
 */
final class PendingValue {
  /** The method to use for values of a class, or null if the values are results. */
  private static final ClassValue<@Nullable String> ADVICE =
      new ClassValue<>() {
        @Override
        protected @Nullable String computeValue(Class<?> type) {
          return advice(type);
        }
      };

  private PendingValue() {}

  /**
   * Refuses a pending value.
   *
   * @throws IllegalStateException if the value is pending; the message names the method to use
   *     instead
   */
  static void refuse(String tool, @Nullable Object value) {
    String advice = value == null ? null : ADVICE.get(value.getClass());
    if (value != null && advice != null) {
      throw new IllegalStateException(
          "the call of %s returned a pending result (%s): %s"
              .formatted(tool, value.getClass().getName(), advice));
    }
  }

  private static @Nullable String advice(Class<?> type) {
    if (CompletionStage.class.isAssignableFrom(type)) {
      return "use dispatchAsync, and flatten a stage of a stage with thenCompose";
    }
    if (Future.class.isAssignableFrom(type)) {
      return "wait for it inside of the call, or use dispatchAsync with a CompletionStage";
    }
    if (Flow.Publisher.class.isAssignableFrom(type)) {
      return "use dispatchStream";
    }
    return isReactiveStream(type)
        ? "use dispatchStream with org.reactivestreams.FlowAdapters.toFlowPublisher"
        : null;
  }

  /** Finds Flux and Mono by name, because this library does not depend on Reactive Streams. */
  private static boolean isReactiveStream(@Nullable Class<?> type) {
    if (type == null) {
      return false;
    }
    if (type.getName().equals("org.reactivestreams.Publisher")) {
      return true;
    }
    for (Class<?> parent : type.getInterfaces()) {
      if (isReactiveStream(parent)) {
        return true;
      }
    }
    return isReactiveStream(type.getSuperclass());
  }
}

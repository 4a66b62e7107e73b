package dev.toolhealth.examples.springai;

import dev.toolhealth.Permit;
import dev.toolhealth.ToolHealthRegistry;
import dev.toolhealth.dispatch.ToolResult;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;

/**
 * A circuit breaker in front of streams, such as the answers of a model.
 *
 * <p>Each subscription is one call, which lasts until the stream ends (GATE-6). Completion is a
 * success, and an error is a failure, even after a thousand items. Cancellation by the subscriber
 * says nothing about the tool and is not recorded. If the stream never ends, for example because
 * its subscriber requests nothing, nothing is recorded either; a probe then ends by its lease.
 *
 * <p>Safe for use by multiple threads.
 */
public final class StreamGuard {
  private final ToolHealthRegistry registry;

  /** Creates a guard that reads and records the health of tools in a registry. */
  public StreamGuard(ToolHealthRegistry registry) {
    this.registry = registry;
  }

  /**
   * Guards a stream of text. While the breaker refuses, the stream's only item is {@link
   * ToolResult.Refused#TEXT}.
   *
   * @param tool the name of the tool
   * @param stream opens the stream; called at each subscription that the breaker admits
   */
  public Flux<String> guard(String tool, Supplier<Flux<String>> stream) {
    return guard(tool, stream, text -> text);
  }

  /**
   * Guards a stream of any items.
   *
   * @param refusal makes an item of the text of a refusal
   */
  public <T> Flux<T> guard(String tool, Supplier<Flux<T>> stream, Function<String, T> refusal) {
    return Flux.defer(
        () -> {
          Permit permit = registry.tryAcquire(tool);
          if (!permit.isGranted()) {
            return Flux.just(refusal.apply(ToolResult.Refused.TEXT));
          }
          long start = registry.nanoTime();
          // Each action runs before the subscriber receives the signal, so a retry sees the
          // outcome.
          return Flux.defer(stream)
              .doOnComplete(() -> permit.successNanos(registry.nanoTime() - start))
              .doOnError(StreamGuard::isCancellation, error -> permit.cancel())
              .doOnError(error -> permit.failureNanos(registry.nanoTime() - start))
              .doOnCancel(permit::cancel);
        });
  }

  /** Returns whether the stream was given up by its own side (GATE-5). */
  private static boolean isCancellation(Throwable error) {
    Throwable thrown = Exceptions.unwrap(error);
    return thrown instanceof CancellationException || thrown instanceof InterruptedException;
  }
}

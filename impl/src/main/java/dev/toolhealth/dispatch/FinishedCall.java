package dev.toolhealth.dispatch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call that has ended, for the function that decides its {@link Verdict} (GATE-8).
 *
 * @param tool the name of the tool that ran
 * @param value the value that the call returned: for a stage its value, for a stream the number of
 *     its items; null if the call threw an exception
 * @param exception the exception, or null if the call returned a value. A {@link
 *     java.util.concurrent.CompletionException} or {@link java.util.concurrent.ExecutionException}
 *     is replaced by its cause.
 * @param duration how long the call took
 */
public record FinishedCall(
    String tool, @Nullable Object value, @Nullable Throwable exception, Duration duration) {

  /**
   * Returns the verdict that applies without a function: a failure if the call threw an exception,
   * a success otherwise.
   *
   * @return {@link Verdict#SUCCESS} or {@link Verdict#FAILURE}
   */
  public Verdict defaultVerdict() {
    return exception == null ? Verdict.SUCCESS : Verdict.FAILURE;
  }
}

package dev.toolhealth.dispatch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A finished call, as the argument of the function that decides its {@link Verdict} (GATE-8).
 *
 * @param tool the name of the tool that ran
 * @param value the returned value: for a stage the stage's value, for a stream the number of items;
 *     null if the call threw an exception
 * @param exception the exception, or null if the call returned a value. The wrappers {@link
 *     java.util.concurrent.CompletionException} and {@link java.util.concurrent.ExecutionException}
 *     are removed.
 * @param duration how long the call took
 */
public record FinishedCall(
    String tool, @Nullable Object value, @Nullable Throwable exception, Duration duration) {

  /**
   * Returns the verdict of a dispatcher without a function: a failure if the call threw an
   * exception, a success otherwise.
   *
   * @return {@link Verdict#SUCCESS} or {@link Verdict#FAILURE}
   */
  public Verdict defaultVerdict() {
    return exception == null ? Verdict.SUCCESS : Verdict.FAILURE;
  }
}

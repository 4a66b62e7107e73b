package dev.toolhealth.dispatch;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a dispatched call. All three kinds are ordinary results, whose {@link #text} the
 * model can read.
 *
 * @param <T> the type of the tool's result
 */
public sealed interface ToolResult<T extends @Nullable Object> {

  /**
   * Returns the name of the tool that ran or was refused.
   *
   * @return the requested tool, or the router's substitute
   */
  String tool();

  /**
   * Returns how long the tool ran.
   *
   * @return the duration; zero if the call was refused
   */
  Duration duration();

  /**
   * Returns this result as text for the model.
   *
   * @return the value, the error or the refusal
   */
  String text();

  /**
   * The call returned a value.
   *
   * @param tool the tool that ran
   * @param value the value; for a stream, the number of its items
   * @param duration how long the call took
   * @param <T> the type of the tool's result
   */
  record Completed<T extends @Nullable Object>(String tool, T value, Duration duration)
      implements ToolResult<T> {
    @Override
    public String text() {
      return String.valueOf(value);
    }
  }

  /**
   * The call ended with an error: an exception, or a value that counts as a failure.
   *
   * @param tool the tool that ran
   * @param error the text for the model: the exception's message, the exception's class if there is
   *     no message, or the value. A long text is shortened (GATE-7); the cause and the value stay
   *     complete.
   * @param cause the exception, or null if the call returned a value
   * @param value the value that counts as a failure, or null if the call threw an exception
   * @param duration how long the call took
   * @param <T> the type of the tool's result
   */
  record Failed<T extends @Nullable Object>(
      String tool, String error, @Nullable Throwable cause, @Nullable T value, Duration duration)
      implements ToolResult<T> {
    @Override
    public String text() {
      return error;
    }
  }

  /**
   * The circuit breaker refused the call. The tool did not run, and nothing was recorded (GATE-1).
   *
   * @param tool the tool that was refused
   * @param retryAfter the time until the next call can be admitted at the latest; empty while a
   *     probe without a lease is running
   * @param <T> the type of the tool's result
   */
  record Refused<T extends @Nullable Object>(String tool, Optional<Duration> retryAfter)
      implements ToolResult<T> {
    /** The text of every refusal. */
    public static final String TEXT = "tool temporarily unavailable: circuit breaker open";

    @Override
    public Duration duration() {
      return Duration.ZERO;
    }

    @Override
    public String text() {
      return TEXT;
    }
  }
}

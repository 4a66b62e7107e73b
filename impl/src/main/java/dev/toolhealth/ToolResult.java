package dev.toolhealth;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a dispatched call. All three are ordinary results, for the model to read.
 *
 * @param <T> what the tool returns
 */
public sealed interface ToolResult<T extends @Nullable Object> {

  /**
   * Says which tool this is of.
   *
   * @return the name of the tool that was run or refused: the one that was asked for, or a
   *     substitute
   */
  String tool();

  /**
   * Says how long the tool ran.
   *
   * @return the duration; zero if it was refused
   */
  Duration duration();

  /**
   * Puts the result into words, for the model.
   *
   * @return the value, the error or the refusal, as text
   */
  String text();

  /**
   * The tool was run, and a success was recorded.
   *
   * @param tool the tool that was run
   * @param value what it returned
   * @param duration how long it took
   * @param <T> what the tool returns
   */
  record Completed<T extends @Nullable Object>(String tool, T value, Duration duration)
      implements ToolResult<T> {
    @Override
    public String text() {
      return String.valueOf(value);
    }
  }

  /**
   * The tool was run, and did not do what it should. A failure was recorded, unless the exception
   * is one that says nothing of the tool.
   *
   * @param tool the tool that was run
   * @param error what went wrong: the exception's message, or its class if it has none; or the
   *     value, if that was taken for an error
   * @param cause the exception, or null if a value was taken for an error
   * @param value what was taken for an error, or null if there was an exception
   * @param duration how long it took
   * @param <T> what the tool returns
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
   * The breaker refused the call: the tool was not run, and nothing was recorded (GATE-1).
   *
   * @param tool the tool that was refused
   * @param retryAfter how long it takes at the latest until a call can be let through; empty while
   *     a probe without a lease is out
   * @param <T> what the tool would have returned
   */
  record Refused<T extends @Nullable Object>(String tool, Optional<Duration> retryAfter)
      implements ToolResult<T> {
    /** What the model reads in place of a result. */
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

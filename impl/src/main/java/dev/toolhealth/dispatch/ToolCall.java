package dev.toolhealth.dispatch;

import org.jspecify.annotations.Nullable;

/**
 * A call of a tool. A {@link ToolDispatcher} makes the call if the tool's gate admits it.
 *
 * @param <T> the type of the tool's result
 */
@FunctionalInterface
public interface ToolCall<T extends @Nullable Object> {

  /**
   * Calls the tool.
   *
   * @param tool the name of the tool to call: the requested tool, or the router's substitute
   * @return the tool's result
   * @throws Exception if the tool fails
   */
  T call(String tool) throws Exception;
}

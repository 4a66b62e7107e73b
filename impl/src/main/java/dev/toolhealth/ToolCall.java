package dev.toolhealth;

import org.jspecify.annotations.Nullable;

/**
 * A call of a tool, to be made if its gate lets it.
 *
 * @param <T> what the tool returns
 */
@FunctionalInterface
public interface ToolCall<T extends @Nullable Object> {

  /**
   * Calls the tool.
   *
   * @param tool the tool to call: the one that was asked for, or a substitute that a router found
   * @return what the tool returned
   * @throws Exception whatever the tool throws
   */
  T call(String tool) throws Exception;
}

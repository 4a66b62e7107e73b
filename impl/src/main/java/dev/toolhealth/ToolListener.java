package dev.toolhealth;

/** Is told what becomes of tools; see {@link ToolHealthRegistry#addListener}. */
@FunctionalInterface
public interface ToolListener {

  /**
   * Is called once for each transition of a tool's breaker, after it has happened.
   *
   * @param transition what has changed
   */
  void onTransition(Transition transition);

  /**
   * Is called when a tool is tracked from now on. If the tool is forgotten at the same time, {@link
   * #onForgotten} may come first: ask {@link ToolHealthRegistry#find} what holds.
   *
   * @param tool the tool's name
   */
  default void onTracked(String tool) {}

  /**
   * Is called when a tool was forgotten. If the name is seen again at the same time, {@link
   * #onTracked} may come first: ask {@link ToolHealthRegistry#find} what holds.
   *
   * @param tool the tool's name
   */
  default void onForgotten(String tool) {}

  /** Takes a listener away again. */
  interface Registration extends AutoCloseable {

    /**
     * Sees to it that the listener is called no more: neither for what happens from now on nor for
     * what it was not yet told of. Only a call that another thread is just making may still be
     * under way. Never waits; closing twice does nothing.
     */
    @Override
    void close();
  }
}

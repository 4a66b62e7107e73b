package dev.toolhealth;

/**
 * A listener for changes of a registry's tools; see {@link ToolHealthRegistry#addListener}.
 *
 * <p>Several threads may call a listener at the same time, for different tools.
 */
@FunctionalInterface
public interface ToolListener {

  /**
   * Called once for each change of state of a tool's circuit breaker, after the change.
   *
   * @param transition the change
   */
  void onTransition(Transition transition);

  /**
   * Called when the registry starts to track a tool. If another thread forgets the tool at the same
   * time, {@link #onForgotten} may come first; {@link ToolHealthRegistry#find} knows the outcome.
   *
   * @param tool the tool's name
   */
  default void onTracked(String tool) {}

  /**
   * Called when the registry has forgotten a tool. If another thread uses the name again at the
   * same time, {@link #onTracked} may come first; {@link ToolHealthRegistry#find} knows the
   * outcome.
   *
   * @param tool the tool's name
   */
  default void onForgotten(String tool) {}

  /** Removes a listener when closed. */
  interface Registration extends AutoCloseable {

    /**
     * Removes the listener. No call of the listener starts after this method returns, not even for
     * earlier changes whose delivery is still due. A call in another thread may still be running.
     * Never waits. Closing twice has no effect.
     */
    @Override
    void close();
  }
}

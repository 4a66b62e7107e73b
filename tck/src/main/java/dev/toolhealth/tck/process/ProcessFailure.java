package dev.toolhealth.tck.process;

/**
 * A process that does not keep to the protocol: it died, hung, answered out of turn or printed
 * something else. Nothing more can be asked of it.
 */
public final class ProcessFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  ProcessFailure(String message) {
    super(message);
  }

  /**
   * Leaves the stack out: what happened, happened in another process.
   *
   * @return this
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

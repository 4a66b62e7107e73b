package dev.toolhealth.tck.process;

/**
 * A breach of the protocol by the process: it ended, hung, answered out of turn, or printed text
 * outside the protocol. The process is killed, and later requests fail with the same exception.
 */
public final class ProcessFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  ProcessFailure(String message) {
    super(message);
  }

  /**
   * Records no stack trace, because the error happened in another process.
   *
   * @return this exception
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

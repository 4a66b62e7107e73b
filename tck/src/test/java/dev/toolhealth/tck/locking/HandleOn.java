package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Handle;

/** A handle that delegates to a tool. Faulty handles override a method. */
class HandleOn implements Handle {
  private final LockingTool tool;

  HandleOn(LockingTool tool) {
    this.tool = tool;
  }

  @Override
  public boolean allowRequest() {
    return tool.allowRequest();
  }

  @Override
  public void recordSuccess(long nanos) {
    tool.recordSuccess(nanos);
  }

  @Override
  public void recordFailure(long nanos) {
    tool.recordFailure(nanos);
  }
}

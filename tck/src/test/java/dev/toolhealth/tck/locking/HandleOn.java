package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Handle;

/** A handle that hands on all that it is told; faulty ones do something else in one of them. */
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

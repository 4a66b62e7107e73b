package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;

/** A handle for a subject without handles. Calls the subject by name every time. */
public record ByName(Subject subject, String tool) implements Handle {
  @Override
  public boolean allowRequest() {
    return subject.allowRequest(tool);
  }

  @Override
  public void recordSuccess(long nanos) {
    subject.recordSuccess(tool, nanos);
  }

  @Override
  public void recordFailure(long nanos) {
    subject.recordFailure(tool, nanos);
  }
}

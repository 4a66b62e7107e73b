package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;

/** A handle of a subject that has none of its own: it asks by name each time. */
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

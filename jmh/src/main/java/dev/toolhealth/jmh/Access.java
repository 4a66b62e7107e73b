package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;

/** The ways to reach a tool's operations. */
public enum Access {
  /**
   * By a handle that the caller keeps. A subject without {@link Capability#HANDLES} is reached by
   * name here too: leave this out for it, with {@code -p access=NAME}.
   */
  HANDLE,

  /**
   * By name at every call. The name is always the same string, so its hash code is computed already
   * and it equals the key by identity: a name parsed from a message costs that much more.
   */
  NAME;

  Handle to(Adapter adapter, Subject subject, String tool) {
    return this == HANDLE && adapter.capabilities().contains(Capability.HANDLES)
        ? subject.handle(tool)
        : new ByName(subject, tool);
  }

  private record ByName(Subject subject, String tool) implements Handle {
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
}

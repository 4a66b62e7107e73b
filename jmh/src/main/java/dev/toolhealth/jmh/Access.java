package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;

/** The ways in which a benchmark reaches a tool. */
public enum Access {
  /**
   * Through a handle that the caller keeps. A subject without {@link Capability#HANDLES} is called
   * by name even here; run it with {@code -p access=NAME} only.
   */
  HANDLE,

  /**
   * By name in every call. The name is always the same string, so the hash code is cached and the
   * comparison with the key ends at identity. A name parsed from a message costs more.
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

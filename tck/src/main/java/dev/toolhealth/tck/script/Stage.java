package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;
import java.util.HashMap;
import java.util.Map;

/** A subject, its clock, and the handles that a script has asked it for. */
final class Stage {
  private final ManualClock clock;
  private final Subject subject;
  private final Map<String, Handle> handles = new HashMap<>();
  private long elapsed;

  Stage(Adapter adapter, Config config, long clockStart) {
    clock = new ManualClock(clockStart);
    subject = adapter.create(config, clock);
  }

  Subject subject() {
    return subject;
  }

  long elapsed() {
    return elapsed;
  }

  void setElapsed(long elapsed) {
    this.elapsed = elapsed;
    clock.setElapsed(elapsed);
  }

  // Once a script has asked for a handle it goes on by handle: both ways must lead to one tool.

  boolean allowRequest(String tool) {
    Handle handle = handles.get(tool);
    return handle == null ? subject.allowRequest(tool) : handle.allowRequest();
  }

  void recordSuccess(String tool, long nanos) {
    Handle handle = handles.get(tool);
    if (handle == null) {
      subject.recordSuccess(tool, nanos);
    } else {
      handle.recordSuccess(nanos);
    }
  }

  void recordFailure(String tool, long nanos) {
    Handle handle = handles.get(tool);
    if (handle == null) {
      subject.recordFailure(tool, nanos);
    } else {
      handle.recordFailure(nanos);
    }
  }

  void getHandle(String tool) {
    handles.put(tool, subject.handle(tool));
  }
}

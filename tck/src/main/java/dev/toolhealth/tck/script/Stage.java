package dev.toolhealth.tck.script;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.spec.Rule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A subject with its clock, and the handles and permits requested by a script. */
final class Stage {
  private final ManualClock clock;
  private final Subject subject;
  private final Map<String, Handle> handles = new HashMap<>();
  private final Set<String> byName = new HashSet<>();
  private final Map<List<String>, Permit> permits = new HashMap<>();
  private long elapsed;

  private Stage(Subject subject, ManualClock clock) {
    this.subject = subject;
    this.clock = clock;
  }

  /**
   * Creates a registry on a manual clock.
   *
   * @throws Departure from the given rule if the subject refuses the configuration
   */
  static Stage create(Adapter adapter, Config config, long clockStart, Rule rule) {
    ManualClock clock = new ManualClock(clockStart);
    return new Stage(subject(adapter, config, clock, rule), clock);
  }

  /**
   * Creates a registry on any clock.
   *
   * @throws Departure from the given rule if the subject refuses the configuration
   */
  static Subject subject(Adapter adapter, Config config, LongSupplier clock, Rule rule) {
    Subject subject;
    try {
      subject = adapter.create(config, clock);
    } catch (RuntimeException | Error e) {
      throw new Departure(
          rule,
          StoryRecorder.of(config),
          Finding.sentence("create " + Departure.threw(e)),
          Departure.Evidence.CAUSE);
    }
    return requireNonNull(subject, "Adapter.create returned null");
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

  // After a script has requested a handle, its steps use the handle until the script switches back
  // to the name. Handle and name must lead to the same tool.

  private @Nullable Handle handleInUse(String tool) {
    return byName.contains(tool) ? null : handles.get(tool);
  }

  boolean allowRequest(String tool) {
    Handle handle = handleInUse(tool);
    return handle == null ? subject.allowRequest(tool) : handle.allowRequest();
  }

  void recordSuccess(String tool, long nanos) {
    Handle handle = handleInUse(tool);
    if (handle == null) {
      subject.recordSuccess(tool, nanos);
    } else {
      handle.recordSuccess(nanos);
    }
  }

  void recordFailure(String tool, long nanos) {
    Handle handle = handleInUse(tool);
    if (handle == null) {
      subject.recordFailure(tool, nanos);
    } else {
      handle.recordFailure(nanos);
    }
  }

  Permit tryAcquire(String tool, String name) {
    Permit permit = requireNonNull(subject.tryAcquire(tool), "Subject.tryAcquire returned null");
    permits.put(List.of(tool, name), permit);
    return permit;
  }

  /** Returns the permit of this name, or null if the permit was not requested or not granted. */
  @Nullable Permit granted(String tool, String name) {
    Permit permit = permits.get(List.of(tool, name));
    return permit != null && permit.isGranted() ? permit : null;
  }

  void goByName(String tool) {
    byName.add(tool);
  }

  /** Uses the tool's handle again, if the script has requested one. */
  void goByHandle(String tool) {
    byName.remove(tool);
  }

  void getHandle(String tool) {
    byName.remove(tool);
    handles.put(tool, requireNonNull(subject.handle(tool), "Subject.handle returned null"));
  }
}

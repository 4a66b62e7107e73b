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

/** A subject, its clock, and the handles that a script has asked it for. */
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
   * Creates a registry.
   *
   * @throws Departure under the rule that is given, if the subject refuses the configuration
   */
  static Stage create(Adapter adapter, Config config, long clockStart, Rule rule) {
    ManualClock clock = new ManualClock(clockStart);
    return new Stage(subject(adapter, config, clock, rule), clock);
  }

  /**
   * Creates a registry on any clock.
   *
   * @throws Departure under the rule that is given, if the subject refuses the configuration
   */
  static Subject subject(Adapter adapter, Config config, LongSupplier clock, Rule rule) {
    Subject subject;
    try {
      subject = adapter.create(config, clock);
    } catch (RuntimeException | Error e) {
      throw new Departure(
          rule,
          Telling.of(config),
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

  // Once a script has asked for a handle it goes on by handle, until it is told to go by name: all
  // ways must lead to one tool.

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

  /** The permit of that name, if it was asked for and granted. */
  @Nullable Permit granted(String tool, String name) {
    Permit permit = permits.get(List.of(tool, name));
    return permit != null && permit.isGranted() ? permit : null;
  }

  void goByName(String tool) {
    byName.add(tool);
  }

  /** Goes by the handle again that it has, if it has one. */
  void goByHandle(String tool) {
    byName.remove(tool);
  }

  void getHandle(String tool) {
    byName.remove(tool);
    handles.put(tool, requireNonNull(subject.handle(tool), "Subject.handle returned null"));
  }
}

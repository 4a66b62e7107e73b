package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;
import org.openjdk.jmh.annotations.Param;

/** What the benchmarks of a subject have in common: which one, and how its tools are reached. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public abstract class SubjectTiming extends Timing {
  /** The adapter's class. */
  @Param({
    "dev.toolhealth.tck.reference.ReferenceAdapter",
    "dev.toolhealth.tck.locking.LockingAdapter"
  })
  public String subject;

  /** How a tool is reached. */
  @Param public Access access;

  /** A tool by itself, on the clock that users have. */
  final Handle tool(Config config) {
    Adapter adapter = adapter();
    return access.to(adapter, create(adapter, config), name);
  }

  final Adapter adapter() {
    return Adapters.load(subject, SubjectTiming.class.getClassLoader());
  }

  static Subject create(Adapter adapter, Config config) {
    return adapter.create(config, System::nanoTime);
  }
}

package dev.toolhealth.jmh;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Handle;
import dev.toolhealth.tck.Subject;
import org.openjdk.jmh.annotations.Param;

/** The parameters of all benchmarks of a subject: the adapter and the access to its tools. */
@SuppressWarnings("NullAway.Init") // JMH sets the parameters
public abstract class SubjectTiming extends Timing {
  /** The class name of the adapter. */
  @Param({
    "dev.toolhealth.tck.reference.ReferenceAdapter",
    "dev.toolhealth.tck.locking.LockingAdapter"
  })
  public String subject;

  /** The way in which a benchmark reaches a tool. */
  @Param public Access access;

  /** Creates a tool in a registry of its own, on the system clock. */
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

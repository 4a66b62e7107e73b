package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;

/** Adapts the locking implementation: every capability except permits and lock-freedom. */
public class LockingAdapter implements Adapter {
  /** Creates the adapter. */
  public LockingAdapter() {}

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.LOCK_FREE, Capability.PERMITS));
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return new LockingRegistry(config, nanoClock);
  }
}

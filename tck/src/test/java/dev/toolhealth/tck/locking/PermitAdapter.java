package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.Subject;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** Adapts the locking implementation with permits. */
public final class PermitAdapter extends LockingAdapter {
  private final BiFunction<Config, LongSupplier, PermitTool> toolOf;

  /** Creates the adapter. */
  public PermitAdapter() {
    this(PermitTool::new);
  }

  /** Creates an adapter for possibly faulty tools. */
  PermitAdapter(BiFunction<Config, LongSupplier, PermitTool> toolOf) {
    this.toolOf = toolOf;
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.LOCK_FREE));
  }

  @Override
  public Subject create(Config config, LongSupplier nanoClock) {
    return new PermitRegistry(config, nanoClock);
  }

  private final class PermitRegistry extends LockingRegistry {
    PermitRegistry(Config config, LongSupplier clock) {
      super(config, clock);
    }

    @Override
    LockingTool newTool() {
      return toolOf.apply(config, clock);
    }

    @Override
    public Permit tryAcquire(String tool) {
      return ((PermitTool) toolToChange(tool)).tryAcquire();
    }
  }
}

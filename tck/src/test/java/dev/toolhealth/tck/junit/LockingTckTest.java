package dev.toolhealth.tck.junit;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.LockingAdapter;

/** An implementation that shares no code with the reference keeps every rule, but has locks. */
class LockingTckTest extends ToolHealthTck {
  @Override
  protected Adapter adapter() {
    return new LockingAdapter();
  }
}

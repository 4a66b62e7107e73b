package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.junit.ToolHealthTck;

/** An implementation that shares no code with the reference keeps every rule, but has locks. */
class LockingTckTest extends ToolHealthTck {
  @Override
  protected Adapter adapter() {
    return new LockingAdapter();
  }
}

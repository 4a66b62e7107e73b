package dev.toolhealth.tck.locking;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.junit.ToolHealthTck;

/** Certifies the locking implementation, which shares no code with the reference. */
class LockingTckTest extends ToolHealthTck {
  @Override
  protected Adapter adapter() {
    return new LockingAdapter();
  }
}

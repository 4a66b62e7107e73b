package dev.toolhealth.tck.junit;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;

/** Certifies the reference implementation. */
class ReferenceTckTest extends ToolHealthTck {
  @Override
  protected Adapter adapter() {
    return new ReferenceAdapter();
  }
}

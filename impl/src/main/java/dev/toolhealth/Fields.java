package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Handles on fields that several threads write. */
final class Fields {
  private Fields() {}

  /** A field of the class that asks, by name. */
  static VarHandle of(MethodHandles.Lookup asking, String field, Class<?> type) {
    try {
      return asking.findVarHandle(asking.lookupClass(), field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

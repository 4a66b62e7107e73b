package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Handles on what several threads write. They refuse arguments whose types at the call are not
 * exactly those of the variable, such as a plain null or an int for a long: those are converted at
 * each call, in a way that the compiler may or may not see through.
 */
final class Fields {
  private Fields() {}

  /** The elements of an array. */
  static VarHandle ofArray(Class<?> type) {
    return MethodHandles.arrayElementVarHandle(type).withInvokeExactBehavior();
  }

  /** A field of the class that asks, by name. */
  static VarHandle of(MethodHandles.Lookup asking, String field, Class<?> type) {
    try {
      return asking.findVarHandle(asking.lookupClass(), field, type).withInvokeExactBehavior();
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

package dev.toolhealth;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Factories for VarHandles with exact types. Other handles accept an int for a long, or a plain
 * null, and convert the argument at each call. The compiler might not optimize the conversion away.
 */
final class Fields {
  private Fields() {}

  /** Returns a handle on the elements of an array type. */
  static VarHandle ofArray(Class<?> type) {
    return MethodHandles.arrayElementVarHandle(type).withInvokeExactBehavior();
  }

  /** Returns a handle on a field of the calling class. */
  static VarHandle of(MethodHandles.Lookup caller, String field, Class<?> type) {
    try {
      return caller.findVarHandle(caller.lookupClass(), field, type).withInvokeExactBehavior();
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

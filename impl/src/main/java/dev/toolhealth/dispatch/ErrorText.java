package dev.toolhealth.dispatch;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The text of an error for the model, of bounded length (GATE-7). */
final class ErrorText {
  /** The smallest bound, several times the length of the note about missing characters. */
  static final int MIN_LENGTH = 100;

  private ErrorText() {}

  /** Returns the exception's message, or the name of its class if there is no message. */
  static String of(Throwable exception, int maxLength) {
    return shorten(textOrClass(exception, exception::getMessage), maxLength);
  }

  /** Returns the value as text, or the name of its class if there is no text. */
  static String of(@Nullable Object value, int maxLength) {
    return value == null ? "null" : shorten(textOrClass(value, value::toString), maxLength);
  }

  /** Asks the tool's own code for the text. That code may return null or throw. */
  private static String textOrClass(Object source, Supplier<@Nullable String> text) {
    try {
      String found = text.get();
      if (found != null) {
        return found;
      }
    } catch (Throwable ignored) {
      // The tool's error matters more than an error in the text. For example, the text of a list
      // that contains itself overflows the stack.
    }
    String name = source.getClass().getSimpleName();
    return name.isEmpty() ? source.getClass().getName() : name;
  }

  private static String shorten(String text, int maxLength) {
    if (text.length() <= maxLength) {
      return text;
    }
    int kept = maxLength - note(text.length()).length();
    if (Character.isHighSurrogate(text.charAt(kept - 1))
        && Character.isLowSurrogate(text.charAt(kept))) {
      kept--; // between code points
    }
    return text.substring(0, kept) + note(text.length() - kept);
  }

  private static String note(int missing) {
    return " ... [" + missing + " more characters]";
  }
}

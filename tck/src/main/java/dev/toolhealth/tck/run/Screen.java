package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;

/**
 * A progress listener that prints what was played, and what is being checked or played now. The
 * latter goes to standard error, so that standard output can be redirected.
 */
final class Screen implements Progress {
  /** How the current part is shown. */
  enum Style {
    /** On a terminal: a line that changes in place. */
    STATUS_LINE,
    /** In a log: a line at each beat. A short run prints none. */
    LINES,
    /** Not at all. */
    NONE
  }

  private final PrintWriter out;
  private final PrintWriter err;
  private final int rules;
  private final Style style;
  private String part = "";
  private int begun;
  private int width;

  /**
   * Creates a screen.
   *
   * @param rules the number of rules to check
   * @param style how the current part is shown
   */
  Screen(PrintWriter out, PrintWriter err, int rules, Style style) {
    this.out = out;
    this.err = err;
    this.rules = rules;
    this.style = style;
  }

  /** Returns whether both input and output are connected to a terminal. */
  @SuppressWarnings("SystemConsoleNull") // where a console always exists, the call below decides
  static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // Since JDK 22 a console may exist without a terminal, and isTerminal() tells them apart.
      return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot ask the console whether it is a terminal", e);
    }
  }

  @Override
  public synchronized void checking(Rule rule) {
    begun++;
    show("rule %d of %d: %s".formatted(begun, rules, rule));
  }

  @Override
  public synchronized void playing(String scripts) {
    show("playing " + scripts);
  }

  @Override
  public synchronized void played(String account) {
    clear();
    out.println(account);
    out.flush();
  }

  /** Shows in a log what is running. Call it every few seconds. */
  synchronized void beat() {
    if (style == Style.LINES && !part.isEmpty()) {
      err.println(part);
      err.flush();
    }
  }

  /** Erases the status line. */
  synchronized void clear() {
    show("");
  }

  private void show(String newPart) {
    part = newPart;
    if (style == Style.STATUS_LINE) {
      // Overwrite with spaces, because not every terminal can clear a line.
      err.print("\r" + " ".repeat(width) + "\r" + part);
      err.flush();
      width = part.length();
    }
  }
}

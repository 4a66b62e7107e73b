package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;

/**
 * A progress listener that prints what was played and, on a terminal, a status line that changes in
 * place. The status line goes to standard error, so that standard output can be redirected.
 */
final class Screen implements Progress {
  private final PrintWriter out;
  private final PrintWriter err;
  private final int rules;
  private final boolean watched;
  private int begun;
  private int width;

  /**
   * Creates a screen.
   *
   * @param rules the number of rules to check
   * @param watched true if there is a terminal, where a line can be overwritten
   */
  Screen(PrintWriter out, PrintWriter err, int rules, boolean watched) {
    this.out = out;
    this.err = err;
    this.rules = rules;
    this.watched = watched;
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
  public void checking(Rule rule) {
    begun++;
    show("rule %d of %d: %s".formatted(begun, rules, rule));
  }

  @Override
  public void playing(String scripts) {
    show("playing " + scripts);
  }

  @Override
  public void played(String account) {
    clear();
    out.println(account);
    out.flush();
  }

  /** Erases the status line. */
  void clear() {
    show("");
  }

  private void show(String line) {
    if (watched) {
      // Overwrite with spaces, because not every terminal can clear a line.
      err.print("\r" + " ".repeat(width) + "\r" + line);
      err.flush();
      width = line.length();
    }
  }
}

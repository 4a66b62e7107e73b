package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;

/**
 * Shows how a certification gets on: the accounts as they come and, if somebody watches, a line
 * that moves. That line goes to standard error, so that standard output can be passed on.
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
   * @param rules how many rules will be checked
   * @param watched whether there is a terminal, where a line can be written over
   */
  Screen(PrintWriter out, PrintWriter err, int rules, boolean watched) {
    this.out = out;
    this.err = err;
    this.rules = rules;
    this.watched = watched;
  }

  /**
   * Whether the kit was started from a terminal, and neither its input nor output led elsewhere.
   */
  @SuppressWarnings("SystemConsoleNull") // the method beneath tells where there is always a console
  static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From JDK 22 on there can be a console without a terminal, and this method to tell.
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

  /** Takes the line away. */
  void clear() {
    show("");
  }

  private void show(String line) {
    if (watched) {
      // Spaces over what was there: not every terminal knows how to clear a line.
      err.print("\r" + " ".repeat(width) + "\r" + line);
      err.flush();
      width = line.length();
    }
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;

/** The words for names, times and configurations in printed texts. */
final class Words {
  private static final long MILLISECOND = 1_000_000;
  private static final long NEAR = 1_000;

  private Words() {}

  /**
   * Writes a time in the largest unit in which the time is a whole number.
   *
   * @param nanos the time in nanoseconds
   * @return such as {@code 30 s}, {@code 1500 ms} or {@code 29999999999 ns}
   */
  static String nanos(long nanos) {
    if (nanos == Long.MAX_VALUE) {
      return "for ever";
    }
    if (nanos != 0 && nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + " s";
    }
    if (nanos != 0 && nanos % 1_000_000 == 0) {
      return nanos / 1_000_000 + " ms";
    }
    return nanos + " ns";
  }

  /**
   * Writes an instant. Scripts often move the clock to just before or after a round time, which is
   * hard to see in a long row of digits.
   *
   * @param nanos the nanoseconds since the beginning
   * @return such as {@code 30 s} or {@code 30 s - 1 ns}
   */
  static String instant(long nanos) {
    long after = Math.floorMod(nanos, MILLISECOND);
    long offset = after > MILLISECOND / 2 ? after - MILLISECOND : after;
    long round = nanos - offset;
    if (offset == 0 || Math.abs(offset) > NEAR || round <= 0) {
      return nanos(nanos);
    }
    return nanos(round) + (offset < 0 ? " - " : " + ") + nanos(Math.abs(offset));
  }

  /**
   * Writes a move of the clock.
   *
   * @param now the nanoseconds since the beginning, after the move
   * @param nanos the length of the move
   * @return such as {@code clock moves to 30 s (+10 s)} or {@code clock moves back to 10 s}
   */
  static String clock(long now, long nanos) {
    return nanos < 0
        ? "clock moves back to " + instant(now)
        : "clock moves to %s (+%s)".formatted(instant(now), instant(nanos));
  }

  /** Writes many moves of the same length: the text of one move without its destination. */
  static String clockAgain(String clock) {
    return clock.replaceFirst(" to [^(]+\\(", " (");
  }

  /**
   * Writes a configuration.
   *
   * @param config the configuration
   * @return the names and values of the fields
   */
  static String config(Config config) {
    return "threshold "
        + config.failureThreshold()
        + ", recovery "
        + nanos(config.recoveryNanos())
        + ", probe timeout "
        + (config.probeTimeoutNanos() == 0 ? "none" : nanos(config.probeTimeoutNanos()));
  }

  /**
   * Writes the answer to a request for a permit.
   *
   * @param granted true if the permit is granted
   * @param retryAfterNanos the waiting time that the permit states
   * @return such as {@code granted} or {@code refused, retry after 10 s}
   */
  static String permit(boolean granted, long retryAfterNanos) {
    String wait =
        retryAfterNanos == Permit.UNBOUNDED
            ? "retry after an unbounded time"
            : "retry after " + nanos(retryAfterNanos);
    if (!granted) {
      return "refused, " + wait;
    }
    return retryAfterNanos == 0 ? "granted" : "granted, but " + wait;
  }

  /**
   * Writes a tool's name on one line, and shortens a long name.
   *
   * @param name the name
   * @return the name in quotes
   */
  static String name(String name) {
    StringBuilder quoted = new StringBuilder("\"");
    name.codePoints()
        .limit(24)
        .forEach(
            c -> {
              if (c >= ' ' && c < 0x7f) {
                quoted.append((char) c);
              } else {
                quoted.append(String.format("\\u%04x", c));
              }
            });
    return quoted.append(name.length() > 24 ? "...\"" : "\"").toString();
  }
}

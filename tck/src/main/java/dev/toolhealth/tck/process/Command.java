package dev.toolhealth.tck.process;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of command lines. No shell is involved, so a command means the same everywhere. */
final class Command {
  /** A sequence of plain and quoted parts: {@code --name="two words"} is one word. */
  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");

  private static final Pattern PART = Pattern.compile("[^\"']+|\"[^\"]*\"|'[^']*'");

  private Command() {}

  /**
   * Splits a command into words at white space. Single or double quotes keep white space in a word.
   * A backslash has no special meaning.
   *
   * @throws IllegalArgumentException if the command is empty or a quote is not closed
   */
  static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    int end = 0;
    while (word.find()) {
      requireBlank(command, end, word.start());
      words.add(PART.matcher(word.group()).replaceAll(part -> unquoted(part.group())));
      end = word.end();
    }
    requireBlank(command, end, command.length());
    if (words.isEmpty()) {
      throw new IllegalArgumentException("the command is empty");
    }
    return words;
  }

  private static void requireBlank(String command, int from, int to) {
    if (!command.substring(from, to).isBlank()) {
      throw new IllegalArgumentException("a quote is not closed: " + command);
    }
  }

  private static String unquoted(String part) {
    boolean quoted = part.startsWith("\"") || part.startsWith("'");
    return Matcher.quoteReplacement(quoted ? part.substring(1, part.length() - 1) : part);
  }
}

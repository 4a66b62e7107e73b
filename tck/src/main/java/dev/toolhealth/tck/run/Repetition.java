package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command that judges a subject again.
 *
 * @param command what starts the kit, and the options that say which subject
 * @param seed determines the random scripts
 * @param atRandom whether there are any
 */
record Repetition(List<String> command, long seed, boolean atRandom) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /** What starts the kit as it was started, from its archive or from a class path. */
  static List<String> start(String classPath) {
    boolean isArchive = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
    return new ArrayList<>(
        isArchive
            ? List.of("java", "-jar", classPath)
            : List.of("java", "-cp", classPath, Main.class.getName()));
  }

  /** The command for some rules; for all if none is given. */
  String line(Collection<Rule> rules) {
    return String.join(" ", words(rules));
  }

  /** The same, word by word. */
  List<String> words(Collection<Rule> rules) {
    List<String> words = new ArrayList<>(command);
    for (Rule rule : rules) {
      words.add("--rule");
      words.add(rule.id());
    }
    if (atRandom) {
      words.add("--seed");
      words.add("" + seed);
    }
    return words.stream().map(Repetition::quoted).toList();
  }

  /** Writes a word so that a POSIX shell reads it as it is. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}

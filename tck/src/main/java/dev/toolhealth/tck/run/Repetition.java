package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.io.File;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command line for repeating a run.
 *
 * @param command the words for starting the kit and selecting the subject
 * @param seed the seed of the random scripts
 * @param atRandom true if random scripts are played
 */
record Repetition(List<String> command, long seed, boolean atRandom) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /** Returns the words for starting the kit in the same way, from the archive or a class path. */
  static List<String> start(String classPath) {
    boolean isArchive = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
    return new ArrayList<>(
        isArchive
            ? List.of("java", "-jar", classPath)
            : List.of("java", "-cp", classPath, Main.class.getName()));
  }

  /** Returns the command for some rules, or for all rules if the collection is empty. */
  String line(Collection<Rule> rules) {
    return String.join(" ", words(rules));
  }

  /** Returns the words of the command for some rules, quoted for a shell. */
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

  /** Quotes a word for a POSIX shell. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}

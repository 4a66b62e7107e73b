package dev.toolhealth.tck.run;

import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command that judges a subject again.
 *
 * @param options the options that say which subject
 * @param seed determines the random scripts
 */
record Repetition(List<String> options, long seed) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /** The command for some rules; for all if none is given. */
  String command(Collection<Rule> rules) {
    return String.join(" ", words(rules));
  }

  /** The same, word by word. */
  List<String> words(Collection<Rule> rules) {
    List<String> words = new ArrayList<>(List.of("java", "-jar", "tool-health-tck.jar"));
    words.addAll(options);
    for (Rule rule : rules) {
      words.add("--rule");
      words.add(rule.id());
    }
    words.add("--seed");
    words.add("" + seed);
    return words.stream().map(Repetition::quoted).toList();
  }

  /** Writes a word so that a POSIX shell reads it as it is. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}

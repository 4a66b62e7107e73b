package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Finding;
import dev.toolhealth.tck.script.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A departure in words, without details that vary from run to run.
 *
 * @param script the steps
 * @param finding the subject's answer, and the answer by the rules
 */
record ScriptInWords(String script, String finding) {
  private static final Pattern NAME = Pattern.compile("\\((\"[^\"]*\")");

  static ScriptInWords of(Departure departure) {
    Story story = departure.story();
    boolean several = names(String.join("\n", story.lines())).size() > 1;
    return new ScriptInWords(script(story, several), finding(departure.finding(), several));
  }

  /** Returns the same text with milliseconds in place of nanoseconds. */
  ScriptInWords inMillis() {
    return new ScriptInWords(inMillis(script), inMillis(finding));
  }

  private static String inMillis(String text) {
    return text.replaceAll("([0-9]) ns", "$1 ms");
  }

  private static String script(Story story, boolean several) {
    if (story instanceof Story.Played played) {
      return sentence(played.setting(), steps(played), several);
    }
    if (story instanceof Story.Watched watched) {
      return sentence(
          watched.setting().replace(", on the real clock", ""), steps(watched), several);
    }
    return String.join(" ", story.lines()) + ".";
  }

  private static String finding(Finding finding, boolean several) {
    if (finding.expected() == null) {
      return words(finding.asked(), several);
    }
    boolean gate =
        finding.asked().startsWith("allowRequest(") || finding.asked().equals(Finding.LAST_STEP);
    return "%s: %s; by the rules: %s"
        .formatted(
            gate ? "the gate" + of(finding.asked(), several) : words(finding.asked(), several),
            gate ? admission(String.valueOf(finding.seen())) : finding.seen(),
            gate ? admission(finding.expected()) : finding.expected());
  }

  private static String sentence(String setting, List<String> steps, boolean several) {
    List<String> numbered = new ArrayList<>();
    for (String step : steps) {
      numbered.add("(%d) %s".formatted(numbered.size() + 1, words(step, several)));
    }
    return setting + (steps.isEmpty() ? "" : ": " + String.join(", ", numbered)) + ".";
  }

  private static List<String> steps(Story.Played played) {
    List<String> steps = new ArrayList<>();
    List<Story.Event> events = played.events();
    for (int i = 0; i < events.size(); i++) {
      String step = step(events.get(i).what(), events.get(i).answer());
      int times = 1;
      while (i + 1 < events.size()
          && step(events.get(i + 1).what(), events.get(i + 1).answer()).equals(step)) {
        i++;
        times++;
      }
      steps.add(step + times(times));
    }
    return steps;
  }

  /** Omits the number of repeated questions, which depends on the machine's speed. */
  private static List<String> steps(Story.Watched watched) {
    return watched.moments().stream()
        .map(
            moment ->
                step(moment.what(), moment.answer())
                    + (moment.answer().isEmpty() ? times(moment.times()) : ""))
        .toList();
  }

  private static String step(String what, String answer) {
    return answer.isEmpty() ? what : what + ": " + admission(answer);
  }

  private static String times(int times) {
    return times == 1 ? "" : " (%d times)".formatted(times);
  }

  private static String admission(String answer) {
    return answer.replaceFirst("^true", "granted").replaceFirst("^false", "refused");
  }

  private static String words(String step, boolean several) {
    String of = of(step, several);
    return step.replaceAll("recordFailure\\([^)]*\\)", "a failure" + of)
        .replaceAll("recordSuccess\\([^)]*\\)", "a success" + of)
        .replaceAll("allowRequest\\([^)]*\\)", "ask the gate" + of)
        .replaceAll("circuitState\\([^)]*\\)", "the state" + of)
        .replaceAll("handle\\([^)]*\\)", "a handle" + of)
        .replaceAll("ask repeatedly until (.*) after step (.*)", "ask until $1 after step $2")
        .replaceAll("wait until (.*) after step (.*)", "wait until $1 after step $2");
  }

  /** Returns the name of the step's tool, if there are several tools. */
  private static String of(String step, boolean several) {
    return several && !names(step).isEmpty() ? " of " + names(step).get(0) : "";
  }

  private static List<String> names(String text) {
    return NAME.matcher(text).results().map(match -> match.group(1)).distinct().toList();
  }
}

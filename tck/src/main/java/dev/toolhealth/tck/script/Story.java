package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import java.util.ArrayList;
import java.util.List;

/** What was done to a subject before it was found to be wrong. */
public sealed interface Story {

  /**
   * Tells the story as text.
   *
   * @return its lines
   */
  List<String> lines();

  /**
   * Tells what was found to be wrong at the end of the story.
   *
   * @param finding what was wrong
   * @return the line that follows the story's own
   */
  default String ending(Finding finding) {
    return finding.toString();
  }

  /**
   * Says which step's own answer a finding is about.
   *
   * @param finding what was wrong
   * @return the number of the step; 0 if it is about none, such as what was asked after all of them
   */
  default int stepOf(Finding finding) {
    return 0;
  }

  /**
   * Says how long the story is. What is done over and over is told once.
   *
   * @return the number of its steps
   */
  int steps();

  /**
   * Says how much is done in it.
   *
   * @return the number of its steps, each as often as it is done
   */
  default int calls() {
    return steps();
  }

  /**
   * A story that has no script, such as what several threads do at once.
   *
   * @param text the story in words
   */
  record Told(String text) implements Story {
    @Override
    public List<String> lines() {
      return text.lines().toList();
    }

    @Override
    public int steps() {
      return 1;
    }
  }

  /**
   * A script that is too long to be drawn.
   *
   * @param lines the setting, and then a line for each step
   */
  record Listed(List<String> lines) implements Story {
    @Override
    public int steps() {
      return lines.size() - 1;
    }
  }

  /**
   * A script on the real clock: nobody can say at which instant a call took effect.
   *
   * @param setting the configuration, in words
   * @param moments what was done, a step each
   */
  record Watched(String setting, List<Moment> moments) implements Story {
    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(setting);
      for (Moment moment : moments) {
        lines.add("%3d. %s".formatted(lines.size(), moment));
      }
      return lines;
    }

    @Override
    public String ending(Finding finding) {
      return Ending.of(finding, stepOf(finding));
    }

    @Override
    public int stepOf(Finding finding) {
      return !moments.isEmpty() && Ending.isAbout(moments.get(moments.size() - 1).what(), finding)
          ? moments.size()
          : 0;
    }

    @Override
    public int steps() {
      return moments.size();
    }
  }

  /**
   * A step on the real clock.
   *
   * @param what the step in words
   * @param answer what the subject answered, in words; empty if nothing is answered
   * @param times how often this came in a row
   * @param end when the last of them was over, in words; empty for a time that passes
   */
  record Moment(String what, String answer, int times, String end) {
    @Override
    public String toString() {
      return what
          + (answer.isEmpty() ? "" : ": " + answer)
          + (times == 1 ? "" : ", %d times".formatted(times))
          + (end.isEmpty() ? "" : ", by " + end);
    }
  }

  /**
   * A script that was played, with what the rules make of it.
   *
   * @param setting configuration and clock, in words
   * @param start the breakers before the first step
   * @param events what was done, a step each
   */
  record Played(String setting, List<Breaker> start, List<Event> events) implements Story {

    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(setting);
      lines.addAll(
          Fold.lines(
              events.stream().map(Event::what).toList(),
              events.stream().map(Event::whatAgain).toList()));
      return lines;
    }

    @Override
    public String ending(Finding finding) {
      return Ending.of(finding, stepOf(finding));
    }

    @Override
    public int stepOf(Finding finding) {
      return !events.isEmpty() && Ending.isAbout(events.get(events.size() - 1).what(), finding)
          ? events.size()
          : 0;
    }

    @Override
    public int steps() {
      return lines().size() - 1;
    }

    @Override
    public int calls() {
      return events.size();
    }
  }

  /**
   * A step that was done.
   *
   * @param what the step in words
   * @param answer what the subject answered, in words; empty if nothing is answered
   * @param isClock whether it is the clock that was moved, and not the subject that was called
   * @param time what has passed since the beginning, in words
   * @param breakers the breakers after the step, as the rules have it
   */
  record Event(String what, String answer, boolean isClock, String time, List<Breaker> breakers) {

    /** The step as one of many alike: where a clock moves to differs each time. */
    String whatAgain() {
      return isClock ? Words.clockAgain(what) : what;
    }
  }

  /**
   * What the rules say of a breaker at some instant.
   *
   * @param tool the tool's name, in quotes
   * @param state the breaker's state
   * @param detail what else there is to know about it, in words; may be empty
   */
  record Breaker(String tool, CircuitState state, String detail) {}
}

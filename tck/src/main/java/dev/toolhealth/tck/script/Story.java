package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import java.util.ArrayList;
import java.util.List;

/** The steps that led to a wrong answer, ready for printing. */
public sealed interface Story {

  /**
   * Returns the story as text.
   *
   * @return the lines
   */
  List<String> lines();

  /**
   * Returns the line that follows the story and describes the wrong answer.
   *
   * @param finding the wrong answer
   * @return the line
   */
  default String ending(Finding finding) {
    return finding.toString();
  }

  /**
   * Returns the step whose own answer is wrong.
   *
   * @param finding the wrong answer
   * @return the number of the step; 0 if another answer is wrong, such as the answer to a question
   *     after the last step
   */
  default int stepOf(Finding finding) {
    return 0;
  }

  /**
   * Returns the printed length of the story, in which repeated steps count once.
   *
   * @return the number of steps
   */
  int steps();

  /**
   * Returns the number of steps that were performed, counting each repetition.
   *
   * @return the number of steps
   */
  default int calls() {
    return steps();
  }

  /**
   * A story without a script, such as a race of several threads.
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
   * A script that is too long for a drawing.
   *
   * @param lines the setting, and then the lines of the steps
   */
  record Listed(List<String> lines) implements Story {
    @Override
    public int steps() {
      return lines.size() - 1;
    }
  }

  /**
   * A script on the real clock. The instants at which the calls took effect are unknown.
   *
   * @param setting the configuration, in words
   * @param moments the steps
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
   * @param answer the subject's answer, in words; empty if the step has no answer
   * @param times the number of times that step and answer repeated in a row
   * @param end the end of the last repetition, in words; empty for a wait
   */
  record Moment(String what, String answer, int times, String end) {
    @Override
    public String toString() {
      return what
          + (answer.isEmpty() ? "" : ": " + answer)
          + (times == 1 ? "" : ", %d times".formatted(times))
          + (end.isEmpty() ? "" : ", done at " + end);
    }
  }

  /**
   * A script on a manual clock, with the states that the rules demand.
   *
   * @param setting configuration and clock, in words
   * @param start the breakers before the first step
   * @param events the steps
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
   * A step that was performed.
   *
   * @param what the step in words
   * @param answer the subject's answer, in words; empty if the step has no answer
   * @param isClock true if the step moved the clock, false if the step called the subject
   * @param time the time since the beginning, in words
   * @param breakers the breakers after the step, as the rules demand
   */
  record Event(String what, String answer, boolean isClock, String time, List<Breaker> breakers) {

    /** Returns the step's text for folding, without the clock's reading, which always differs. */
    String whatAgain() {
      return isClock ? Words.clockAgain(what) : what;
    }
  }

  /**
   * A breaker at some instant, as the rules demand.
   *
   * @param tool the tool's name, in quotes
   * @param state the breaker's state
   * @param detail more about the state, in words; may be empty
   */
  record Breaker(String tool, CircuitState state, String detail) {}
}

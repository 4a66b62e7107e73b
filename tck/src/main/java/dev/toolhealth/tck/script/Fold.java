package dev.toolhealth.tck.script;

import java.util.ArrayList;
import java.util.List;

/**
 * A writer of steps for people, one line per step. Steps that repeat are written once, with the
 * number of repetitions: a reader can follow fifty rounds, but not fifty times three lines.
 */
final class Fold {
  private static final int LONGEST = 12;

  private final List<String> once;
  private final List<String> steps;

  private Fold(List<String> once, List<String> steps) {
    this.once = once;
    this.steps = steps;
  }

  /**
   * Writes steps.
   *
   * @param once the text of each step if the step is written on its own
   * @param again the text of each step if one line represents several repetitions; steps with equal
   *     texts count as repetitions
   * @return the lines, with the numbers of the steps
   */
  static List<String> lines(List<String> once, List<String> again) {
    return new Fold(once, again).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < steps.size(); ) {
      Repetition best = longest(at);
      int end = at + best.length * best.times;
      String numbers = end == at + 1 ? "" + end : (at + 1) + "-" + end;
      if (best.length == 1) {
        lines.add("%3s. %s".formatted(numbers, (best.times == 1 ? once : steps).get(at)));
      } else {
        lines.add("%3s. %d times:".formatted(numbers, best.times));
        steps.subList(at, at + best.length).forEach(step -> lines.add("       " + step));
      }
      at = end;
    }
    return lines;
  }

  /** A number of consecutive steps, and the number of times that they repeat in a row. */
  private record Repetition(int length, int times) {
    int linesSaved() {
      // Two rounds are easier to read when both are written out.
      return length == 1 ? times - 1 : times == 2 ? 0 : length * times - (length + 1);
    }
  }

  private Repetition longest(int at) {
    Repetition best = new Repetition(1, times(at, 1));
    if (best.times > LONGEST) {
      return best; // a longer repetition would consist of the same steps
    }
    for (int length = 2; length <= LONGEST && at + length <= steps.size(); length++) {
      Repetition repetition = new Repetition(length, times(at, length));
      if (repetition.linesSaved() > best.linesSaved()) {
        best = repetition;
      }
    }
    return best;
  }

  private int times(int at, int length) {
    List<String> repetition = steps.subList(at, at + length);
    int times = 1;
    for (int next = at + length; next + length <= steps.size(); next += length) {
      if (!steps.subList(next, next + length).equals(repetition)) {
        break;
      }
      times++;
    }
    return times;
  }
}

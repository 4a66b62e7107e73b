package dev.toolhealth.tck.script;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes steps for people, a line a step. What repeats itself is written once, with how often: a
 * reader can follow fifty rounds, but not fifty times three lines.
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
   * @param once what is done, a step each, as it is written where it stands alone
   * @param again the same as it is written where it stands for several, which are alike by this
   * @return the lines, with the numbers of the steps
   */
  static List<String> lines(List<String> once, List<String> again) {
    return new Fold(once, again).lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < steps.size(); ) {
      Refrain best = longest(at);
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

  /** Some steps, and how often they come one after the other. */
  private record Refrain(int length, int times) {
    int linesSaved() {
      // Twice is read more easily when it is written out.
      return length == 1 ? times - 1 : times == 2 ? 0 : length * times - (length + 1);
    }
  }

  private Refrain longest(int at) {
    Refrain best = new Refrain(1, times(at, 1));
    if (best.times > LONGEST) {
      return best; // any other would be of the same steps
    }
    for (int length = 2; length <= LONGEST && at + length <= steps.size(); length++) {
      Refrain refrain = new Refrain(length, times(at, length));
      if (refrain.linesSaved() > best.linesSaved()) {
        best = refrain;
      }
    }
    return best;
  }

  private int times(int at, int length) {
    List<String> refrain = steps.subList(at, at + length);
    int times = 1;
    for (int next = at + length; next + length <= steps.size(); next += length) {
      if (!steps.subList(next, next + length).equals(refrain)) {
        break;
      }
      times++;
    }
    return times;
  }
}

package dev.toolhealth.tck.script;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a list shorter for as long as what remains is still good for something. */
final class Shortening<T> {
  /** Items that may have to go together: the steps of a round, for one. */
  private static final int FEW = 4;

  /** Enough for all but very long lists, which stay longer than need be. */
  private static final int MOST_TESTS = 1_500;

  private final Predicate<List<T>> stillGood;
  private List<T> shortest;
  private int tests;

  private Shortening(List<T> items, Predicate<List<T>> stillGood) {
    this.shortest = items;
    this.stillGood = stillGood;
  }

  /** Leaves out many items at a time at first, and in the end a few, wherever they stand. */
  static <T> List<T> of(List<T> items, Predicate<List<T>> stillGood) {
    Shortening<T> shortening = new Shortening<>(items, stillGood);
    shortening.run();
    return shortening.shortest;
  }

  private void run() {
    for (int chunk = shortest.size() / 2; chunk > FEW; chunk /= 2) {
      leaveOut(chunk, chunk);
    }
    int before;
    do {
      before = shortest.size();
      for (int chunk = FEW; chunk >= 1; chunk--) {
        leaveOut(chunk, 1);
      }
    } while (shortest.size() < before);
  }

  private void leaveOut(int chunk, int stride) {
    for (int i = 0; i + chunk <= shortest.size() && tests < MOST_TESTS; tests++) {
      List<T> shorter = new ArrayList<>(shortest);
      shorter.subList(i, i + chunk).clear();
      if (stillGood.test(shorter)) {
        shortest = shorter;
      } else {
        i += stride;
      }
    }
  }
}

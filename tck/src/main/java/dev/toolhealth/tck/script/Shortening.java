package dev.toolhealth.tck.script;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A search for a shorter list, by removing items as long as the rest is still good. */
final class Shortening<T> {
  /** The size of groups to remove together, such as the steps of a round. */
  private static final int FEW = 4;

  /** The limit of tests. A very long list reaches the limit and stays longer than necessary. */
  private static final int MOST_TESTS = 1_500;

  private final Predicate<List<T>> stillGood;
  private List<T> shortest;
  private int tests;

  private Shortening(List<T> items, Predicate<List<T>> stillGood) {
    this.shortest = items;
    this.stillGood = stillGood;
  }

  /** Removes many items at a time at first, and finally a few at a time at every position. */
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

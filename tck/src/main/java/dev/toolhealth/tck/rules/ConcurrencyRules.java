package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.CIRCUIT_STATE;
import static dev.toolhealth.tck.Capability.CONSECUTIVE_FAILURES;
import static dev.toolhealth.tck.Capability.LOCK_FREE;
import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.SCORE;
import static dev.toolhealth.tck.Capability.STATISTICS;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.script.ManualClock;
import dev.toolhealth.tck.spec.Rule;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter CONC: the same rules with real threads. */
final class ConcurrencyRules {
  private static final String TOOL = "search";

  /**
   * A probe's success and three failures at once. Whatever the order, the last failure trips or
   * restarts the cooldown, at the instant of the race.
   */
  @Check(
      value = Rule.CONC_1,
      needs = {CIRCUIT_STATE, CONSECUTIVE_FAILURES, MANUAL_CLOCK},
      fieldCase = "C33")
  void probeSuccessRacesThreeFailures(Bench bench) {
    String story = "HALF_OPEN, threshold 3: the probe's success races three failures";
    // The success first: closed, and the third failure trips. A failure first: the success comes
    // too late, and all three are counted on top of the three that tripped the breaker before.
    Set<String> legal = Set.of("OPEN 3", "OPEN 6");
    race(bench, story, 3, legal, true);
  }

  /** The same with two failures: open, or closed with both counted after the success. */
  @Check(
      value = Rule.CONC_1,
      needs = {CIRCUIT_STATE, CONSECUTIVE_FAILURES, MANUAL_CLOCK},
      fieldCase = "C33")
  void probeSuccessRacesTwoFailures(Bench bench) {
    String story = "HALF_OPEN, threshold 3: the probe's success races two failures";
    race(bench, story, 2, Set.of("CLOSED 2", "OPEN 5"), false);
  }

  private static void race(
      Bench bench, String story, int failures, Set<String> legal, boolean opens) {
    try (Callers callers = new Callers(bench, failures + 1)) {
      ManualClock clock = new ManualClock(0);
      Subject subject = bench.adapter().create(Config.DEFAULT, clock);
      for (int round = 0; round < 2_000; round++) {
        String tool = "tool-" + round;
        clock.setElapsed(0);
        for (int i = 0; i < 3; i++) {
          subject.recordFailure(tool, 1);
        }
        clock.setElapsed(Bench.seconds(30));
        subject.allowRequest(tool);
        clock.setElapsed(Bench.seconds(31));
        callers.all(
            story,
            i ->
                () -> {
                  if (i == 0) {
                    subject.recordSuccess(tool, 1);
                  } else {
                    subject.recordFailure(tool, 1);
                  }
                  return true;
                });
        CircuitState state = subject.circuitState(tool);
        String outcome = state + " " + subject.consecutiveFailures(tool);
        bench.expect(story, outcome + " is one of " + legal, true, legal.contains(outcome));
        if (opens || state == CircuitState.OPEN) {
          clock.setElapsed(Bench.seconds(61) - 1);
          bench.expect(story, "granted at 61 s - 1 ns", false, subject.allowRequest(tool));
          clock.setElapsed(Bench.seconds(61));
          bench.expect(story, "granted at 61 s", true, subject.allowRequest(tool));
        }
      }
    }
  }

  /** The failure that trips has returned before another thread asks: it is refused, always. */
  @Check(value = Rule.CONC_1, fieldCase = "C33")
  void aTripThatHasReturnedIsSeen(Bench bench) {
    String story = "a thread records the tripping failure and returns, then another asks the gate";
    int rounds = 20_000;
    Subject subject = bench.adapter().create(new Config(1, Bench.seconds(30), 0), () -> 0);
    AtomicInteger tripped = new AtomicInteger(-1);
    try (Callers callers = new Callers(bench, 2)) {
      List<Integer> letThrough =
          callers.all(
              story,
              i ->
                  () -> {
                    int granted = 0;
                    for (int round = 0; round < rounds; round++) {
                      if (i == 0) {
                        subject.recordFailure("tool-" + round, 1);
                        tripped.set(round);
                      } else {
                        while (tripped.get() < round) {
                          Thread.onSpinWait();
                        }
                        granted += subject.allowRequest("tool-" + round) ? 1 : 0;
                      }
                    }
                    return granted;
                  });
      bench.expect(story, "calls let through in " + rounds + " rounds", List.of(0, 0), letThrough);
    }
  }

  /**
   * Four callers record known numbers of outcomes with known durations of one tool. They meet anew
   * in many rounds, since on a busy machine one of them can be through before the next begins.
   */
  @Check(value = Rule.CONC_2, needs = STATISTICS)
  void nothingIsLost(Bench bench) {
    int each = 10_000;
    String story = "4 callers record " + each + " outcomes each, every fifth a failure";
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    // The durations 4n + i, for i from 0 to 3 and n from 1 to each, are all numbers from 4 on.
    long last = 4L * each + 3;
    long sum = last * (last + 1) / 2 - 6;
    try (Callers callers = new Callers(bench, 4)) {
      for (int round = 1; round <= 40; round++) {
        callers.all(
            story,
            i ->
                () -> {
                  for (int n = 1; n <= each; n++) {
                    long nanos = 4L * n + i;
                    if (n % 5 == 0) {
                      subject.recordFailure(TOOL, nanos);
                    } else {
                      subject.recordSuccess(TOOL, nanos);
                    }
                  }
                  return true;
                });
        Statistics seen = subject.statistics(TOOL);
        bench.expect(story, "the failures", round * 4L * each / 5, seen.failures());
        bench.expect(story, "the successes", round * 16L * each / 5, seen.successes());
        bench.expect(story, "the maximum", last, seen.maxDurationNanos());
        bench.expect(story, "the sum", round * sum, seen.durationSumNanos());
      }
    }
  }

  /**
   * Few outcomes at once on a new tool: the EWMA must be one that some order of them gives. If it
   * is another, a step was lost or taken twice.
   */
  @Check(value = Rule.CONC_2, needs = SCORE)
  void noStepOfTheEwmaIsLost(Bench bench) {
    String story = "2 callers record 3 failures and 1 success each, at once";
    Set<Long> legal = new HashSet<>();
    interleave(1_000_000, 0, 0, legal);
    try (Callers callers = new Callers(bench, 2)) {
      Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
      for (int round = 0; round < 3_000; round++) {
        String tool = "tool-" + round;
        callers.all(
            story,
            i ->
                () -> {
                  for (int n = 0; n < 4; n++) {
                    if (isSuccess(n)) {
                      subject.recordSuccess(tool, 1);
                    } else {
                      subject.recordFailure(tool, 1);
                    }
                  }
                  return true;
                });
        long ewma = subject.ewma(tool);
        bench.expect(story, "the EWMA " + ewma + " is legal", true, legal.contains(ewma));
      }
    }
  }

  private static boolean isSuccess(int n) {
    return n == 1;
  }

  /** Collects what every merge of the two callers' outcomes gives, each in its own order. */
  private static void interleave(long ewma, int first, int second, Set<Long> ewmas) {
    if (first == 4 && second == 4) {
      ewmas.add(ewma);
    }
    if (first < 4) {
      interleave(next(ewma, isSuccess(first)), first + 1, second, ewmas);
    }
    if (second < 4) {
      interleave(next(ewma, isSuccess(second)), first, second + 1, ewmas);
    }
  }

  private static long next(long ewma, boolean success) {
    return (7 * ewma + (success ? 3_000_000 : 0)) / 10;
  }

  /** Readers beside writers: no count falls, none runs ahead of what was begun. */
  @Check(value = Rule.CONC_2, needs = STATISTICS, fieldCase = "C33")
  void countersNeverGoBack(Bench bench) {
    String story = "3 callers record outcomes while another reads";
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    int each = 20_000;
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger writers = new AtomicInteger(3);
    try (Callers callers = new Callers(bench, 4)) {
      List<String> problems =
          callers.all(
              story,
              i ->
                  i > 0
                      ? writer(subject, each, begun, writers)
                      : () -> watch(subject, begun, writers));
      bench.expect(story, "what the reader objects to", "", problems.get(0));
    }
  }

  private static Callable<String> writer(
      Subject subject, int each, AtomicInteger begun, AtomicInteger writers) {
    return () -> {
      try {
        for (int n = 0; n < each; n++) {
          begun.incrementAndGet();
          if (n % 3 == 0) {
            subject.recordFailure(TOOL, 2);
          } else {
            subject.recordSuccess(TOOL, 1);
          }
        }
        return "";
      } finally {
        writers.decrementAndGet();
      }
    };
  }

  private static String watch(Subject subject, AtomicInteger begun, AtomicInteger writers) {
    Statistics last = subject.statistics(TOOL);
    while (writers.get() > 0) {
      Statistics next = subject.statistics(TOOL);
      int atMost = begun.get();
      boolean fell =
          next.successes() < last.successes()
              || next.failures() < last.failures()
              || next.durationSumNanos() < last.durationSumNanos()
              || next.maxDurationNanos() < last.maxDurationNanos();
      boolean impossible =
          next.total() != next.successes() + next.failures()
              || next.total() > atMost
              || next.successRate() < 0
              || next.successRate() > 1;
      if (fell || impossible) {
        return "after " + last + " came " + next + " with " + atMost + " begun";
      }
      last = next;
    }
    return "";
  }

  /**
   * Four callers at full tilt on one tool, through trips and probes: none of them is ever parked or
   * blocked, by the JVM's own account. If one is, look for a lock.
   */
  @Check(
      value = Rule.CONC_3,
      needs = {LOCK_FREE, MANUAL_CLOCK})
  void nobodyIsEverBlocked(Bench bench) {
    String story = "4 callers ask and record as fast as they can";
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Subject subject = bench.adapter().create(new Config(2, 0, 5), new ManualClock(0));
    try (Callers callers = new Callers(bench, 4)) {
      callers.all(story, i -> () -> hammer(subject, 20_000)); // classes load, code compiles
      List<Long> waits =
          callers.all(
              story,
              i ->
                  () -> {
                    long before = waits(threads);
                    hammer(subject, 300_000);
                    return waits(threads) - before;
                  });
      bench.expect(story, "how often each had to wait", List.of(0L, 0L, 0L, 0L), waits);
    }
  }

  private static boolean hammer(Subject subject, int calls) {
    boolean all = true;
    for (int n = 0; n < calls; n++) {
      all &= subject.allowRequest(TOOL);
      if (n % 8 < 3) {
        subject.recordFailure(TOOL, n);
      } else {
        subject.recordSuccess(TOOL, n);
      }
    }
    return all;
  }

  private static long waits(ThreadMXBean threads) {
    ThreadInfo info = threads.getThreadInfo(Thread.currentThread().getId());
    return info.getBlockedCount() + info.getWaitedCount();
  }
}

package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.CIRCUIT_STATE;
import static dev.toolhealth.tck.Capability.CONSECUTIVE_FAILURES;
import static dev.toolhealth.tck.Capability.LOCK_FREE;
import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.ORACLE;
import static dev.toolhealth.tck.Capability.SCORE;
import static dev.toolhealth.tck.Capability.STATISTICS;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Statistics;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.rules.History.Operation;
import dev.toolhealth.tck.script.ManualClock;
import dev.toolhealth.tck.spec.Rule;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The checks of chapter CONC: the rules under real threads. */
final class ConcurrencyRules {
  private static final String TOOL = "search";
  private static final List<Long> NO_WAITS = List.of(0L, 0L, 0L, 0L);

  /**
   * Races a probe's success against three failures. In every order, the last failure trips the
   * breaker or restarts the cooldown, at the time of the race. On failure, look for a transition
   * without a compare-and-set.
   */
  @Check(
      value = Rule.CONC_1,
      needs = {CIRCUIT_STATE, CONSECUTIVE_FAILURES, MANUAL_CLOCK},
      fieldCase = "C33",
      racing = true)
  void probeSuccessRacesThreeFailures(Bench bench) {
    String story = "HALF_OPEN, threshold 3: the probe's success races three failures";
    // If the success comes first, the breaker closes and the third failure trips it. If a failure
    // comes first, the success is too late, and the failures add to the three of the first trip.
    Set<String> legal = Set.of("OPEN 3", "OPEN 6");
    race(bench, story, 3, legal, true);
  }

  /**
   * Races a probe's success against two failures. The breaker must be open, or closed with both
   * failures counted after the success. On failure, look for a failure that is lost in the
   * transition.
   */
  @Check(
      value = Rule.CONC_1,
      needs = {CIRCUIT_STATE, CONSECUTIVE_FAILURES, MANUAL_CLOCK},
      fieldCase = "C33",
      racing = true)
  void probeSuccessRacesTwoFailures(Bench bench) {
    String story = "HALF_OPEN, threshold 3: the probe's success races two failures";
    race(bench, story, 2, Set.of("CLOSED 2", "OPEN 5"), false);
  }

  private static void race(
      Bench bench, String story, int failures, Set<String> legal, boolean opens) {
    int rounds = 20_000;
    ManualClock clock = new ManualClock(0);
    Subject subject = bench.adapter().create(Config.DEFAULT, clock);
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 3; i++) {
        subject.recordFailure("tool-" + round, 1);
      }
    }
    clock.setElapsed(Bench.seconds(30));
    for (int round = 0; round < rounds; round++) {
      subject.allowRequest("tool-" + round);
    }
    clock.setElapsed(Bench.seconds(31));
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          rounds,
          (caller, round) -> {
            if (caller == 0) {
              subject.recordSuccess("tool-" + round, 1);
            }
            for (int i = caller; i < failures; i += 2) {
              subject.recordFailure("tool-" + round, 1);
            }
          });
    }
    List<String> open = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      String tool = "tool-" + round;
      CircuitState state = subject.circuitState(tool);
      String outcome = state + " " + subject.consecutiveFailures(tool);
      bench.expect(
          story,
          "state and consecutive failures",
          legal.contains(outcome) ? outcome : "one of " + legal,
          outcome);
      if (opens || state == CircuitState.OPEN) {
        open.add(tool);
      }
    }
    clock.setElapsed(Bench.seconds(61) - 1);
    for (String tool : open) {
      bench.expect(story, "granted at 61 s - 1 ns", false, subject.allowRequest(tool));
    }
    clock.setElapsed(Bench.seconds(61));
    for (String tool : open) {
      bench.expect(story, "granted at 61 s", true, subject.allowRequest(tool));
    }
  }

  /**
   * Runs three callers with two or three operations each, passing time included, on a tool in one
   * of many states. Some order of the calls must explain every answer. On failure, replay the
   * printed calls: look for an update that overwrites another, or for a time that is read before
   * the state.
   */
  @Check(value = Rule.CONC_1, needs = MANUAL_CLOCK, racing = true)
  void everyHistoryIsLinearizable(Bench bench) {
    int rounds = 20_000;
    int count = 3;
    Random random = new Random(1);
    List<Operation> offered = Operation.offeredBy(bench);
    List<History> histories = new ArrayList<>();
    List<List<List<Operation>>> parts = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      // Small values keep all boundaries near: the trip, the cooldown, and the lease.
      Config config = new Config(1 + random.nextInt(2), 2, 2);
      histories.add(new History(bench, config, some(offered, random.nextInt(9), random)));
      parts.add(
          Stream.generate(() -> some(offered, 2 + random.nextInt(2), random))
              .limit(count)
              .toList());
    }
    String story = count + " callers ask and record while time passes";
    try (Callers callers = bench.callers(count)) {
      callers.rounds(
          story,
          rounds,
          (caller, round) -> histories.get(round).record(caller, parts.get(round).get(caller)));
    }
    for (History history : histories) {
      bench.require(
          history.isLinearizable(),
          "no order of these calls explains the answers",
          () -> story + ", " + history);
    }
  }

  private static List<Operation> some(List<Operation> offered, int count, Random random) {
    return Stream.generate(() -> offered.get(random.nextInt(offered.size()))).limit(count).toList();
  }

  /**
   * Races a success and a failure between two other failures. In any order, the final run has at
   * most two failures, and the breaker must not trip at threshold 3. On failure, look for a reset
   * that a concurrent failure overwrites.
   */
  @Check(value = Rule.CONC_1, racing = true)
  void aSuccessIsHeededWhateverMeetsIt(Bench bench) {
    String story =
        "a failure, then a success and a failure at the same instant, then a failure; the threshold"
            + " is 3";
    int rounds = 20_000;
    Subject subject = bench.adapter().create(new Config(3, Bench.OUT_OF_REACH, 0), () -> 0);
    for (int round = 0; round < rounds; round++) {
      subject.recordFailure("tool-" + round, 1);
    }
    successMeetsFailure(bench, story, rounds, subject);
    for (int round = 0; round < rounds; round++) {
      subject.recordFailure("tool-" + round, 1);
      bench.expect(story, "granted", true, subject.allowRequest("tool-" + round));
    }
  }

  /** Races a success of 1 ns and a failure of 2 ns, on a new tool in each round. */
  private static void successMeetsFailure(Bench bench, String story, int rounds, Subject subject) {
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          rounds,
          (caller, round) -> {
            if (caller == 0) {
              subject.recordSuccess("tool-" + round, 1);
            } else {
              subject.recordFailure("tool-" + round, 2);
            }
          });
    }
  }

  /**
   * Asks the gate after the tripping failure has returned in another thread, which was admitted
   * before. The call must be refused. On failure, look for a state that is cached or written
   * without release.
   */
  @Check(value = Rule.CONC_1, fieldCase = "C33", racing = true)
  void aTripThatHasReturnedIsSeen(Bench bench) {
    String story = "a thread records the tripping failure and returns, then another asks the gate";
    int rounds = 20_000;
    Subject subject = bench.adapter().create(new Config(1, Bench.OUT_OF_REACH, 0), () -> 0);
    AtomicInteger tripped = new AtomicInteger(-1);
    AtomicBoolean known = new AtomicBoolean();
    try (Callers callers = bench.callers(2)) {
      List<Integer> letThrough =
          callers.all(
              story,
              i ->
                  () -> {
                    int granted = 0;
                    if (i == 1) {
                      for (int round = 0; round < rounds; round++) {
                        subject.allowRequest("tool-" + round);
                      }
                      known.set(true);
                    }
                    Callers.await(known::get);
                    for (int round = 0; round < rounds; round++) {
                      int current = round;
                      if (i == 0) {
                        subject.recordFailure("tool-" + current, 1);
                        tripped.set(current);
                      } else {
                        Callers.await(() -> tripped.get() >= current);
                        granted += subject.allowRequest("tool-" + current) ? 1 : 0;
                      }
                    }
                    return granted;
                  });
      bench.expect(story, "calls admitted in " + rounds + " rounds", List.of(0, 0), letThrough);
    }
  }

  /**
   * Delays the oracle inside the clock until a failure has restarted the cooldown and the old end
   * has passed. At no time would the gate have admitted a call. On failure, look for a state and a
   * time of different instants: re-read the state after the clock.
   */
  @Check(
      value = Rule.CONC_1,
      needs = {MANUAL_CLOCK, ORACLE},
      racing = true)
  void anOracleIsOfOneInstant(Bench bench) {
    new Meeting(
            "OPEN since 0 ns, cooldown 100 ns: while the oracle waits for the clock, a failure"
                + " arrives at 99 ns, and the clock moves on to 150 ns",
            new Config(1, 100, 0))
        .before(subject -> subject.recordFailure(TOOL, 1), 99)
        .asking(subject -> "available: " + subject.isToolAvailable(TOOL))
        .meanwhile(ConcurrencyRules::failed, 150)
        .expect(bench, Set.of("available: false, failed"));
  }

  /**
   * Delays a read of the state inside the clock until the probe has succeeded and its lease would
   * have ended. The probe succeeded in time, so OPEN is wrong. On failure, look for a state and a
   * time of different instants.
   */
  @Check(
      value = Rule.CONC_1,
      needs = {CIRCUIT_STATE, MANUAL_CLOCK},
      racing = true)
  void aStateReadIsOfOneInstant(Bench bench) {
    new Meeting(
            "a probe since 100 ns with a lease of 100 ns: while a state read waits for the clock,"
                + " the probe succeeds at 199 ns, and the clock moves on to 200 ns",
            new Config(1, 100, 100))
        .before(subject -> subject.recordFailure(TOOL, 1), 100)
        .before(subject -> subject.allowRequest(TOOL), 199)
        .asking(subject -> "" + subject.circuitState(TOOL))
        .meanwhile(ConcurrencyRules::succeeded, 200)
        .expect(bench, Set.of("HALF_OPEN, succeeded", "CLOSED, succeeded"));
  }

  /**
   * Delays a tripping failure inside the clock while another caller acts. An earlier success
   * prevents the trip; otherwise the breaker is open from then on. On failure, look for a count and
   * a state that change in two visible steps.
   */
  @Check(
      value = Rule.CONC_1,
      needs = {CIRCUIT_STATE, CONSECUTIVE_FAILURES, MANUAL_CLOCK},
      racing = true)
  void aTripIsOfOneInstant(Bench bench) {
    Config config = new Config(2, 100, 0);
    String story = "threshold 2, one failure: while the second failure waits for the clock, ";
    new Meeting(story + "a success arrives, then a gate call", config)
        .before(subject -> subject.recordFailure(TOOL, 1), 0)
        .asking(ConcurrencyRules::failed)
        .meanwhile(subject -> succeeded(subject) + ", granted: " + subject.allowRequest(TOOL), 0)
        .after(ConcurrencyRules::look)
        .expect(
            bench,
            Set.of(
                "failed, succeeded, granted: true, CLOSED 1",
                "failed, succeeded, granted: false, OPEN 2"));
    new Meeting(story + "a third failure arrives, then a gate call", config)
        .before(subject -> subject.recordFailure(TOOL, 1), 0)
        .asking(ConcurrencyRules::failed)
        .meanwhile(subject -> failed(subject) + ", granted: " + subject.allowRequest(TOOL), 0)
        .after(ConcurrencyRules::look)
        .expect(bench, Set.of("failed, failed, granted: false, OPEN 3"));
    new Meeting(story + "another caller reads the count", config)
        .before(subject -> subject.recordFailure(TOOL, 1), 0)
        .asking(ConcurrencyRules::failed)
        .meanwhile(subject -> "seen: " + subject.consecutiveFailures(TOOL), 0)
        .after(ConcurrencyRules::look)
        .expect(bench, Set.of("failed, seen: 1, OPEN 2", "failed, seen: 2, OPEN 2"));
  }

  private static String failed(Subject subject) {
    subject.recordFailure(TOOL, 1);
    return "failed";
  }

  private static String succeeded(Subject subject) {
    subject.recordSuccess(TOOL, 1);
    return "succeeded";
  }

  private static String look(Subject subject) {
    return subject.circuitState(TOOL) + " " + subject.consecutiveFailures(TOOL);
  }

  /**
   * Races four callers with known outcomes and durations on one tool, in many rounds, because on a
   * busy machine a caller can finish before the next starts. On failure, look for a plain
   * increment.
   */
  @Check(value = Rule.CONC_2, needs = STATISTICS, racing = true)
  void nothingIsLost(Bench bench) {
    nothingIsLost(bench, "ns", 1, 40);
  }

  /**
   * Repeats the race with durations that overflow a narrow counter. On failure, look for a duration
   * packed into a few bits.
   */
  @Check(value = Rule.CONC_2, needs = STATISTICS, racing = true)
  void nothingIsLostOfLongCalls(Bench bench) {
    nothingIsLost(bench, "ms", 1_000_000, 10);
  }

  private static void nothingIsLost(Bench bench, String unit, long nanosEach, int rounds) {
    int each = 10_000;
    String story =
        "4 callers record " + each + " outcomes each, every fifth a failure, of 4 to 40003 " + unit;
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    // The durations 4n + i, for i from 0 to 3 and n from 1 to each, are all numbers from 4 on.
    long last = 4L * each + 3;
    long sum = last * (last + 1) / 2 - 6;
    try (Callers callers = bench.callers(4)) {
      for (int round = 1; round <= rounds; round++) {
        callers.all(
            story,
            i ->
                () -> {
                  for (int n = 1; n <= each; n++) {
                    long nanos = (4L * n + i) * nanosEach;
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
        bench.expect(story, "the maximum", last * nanosEach, seen.maxDurationNanos());
        bench.expect(story, "the sum", round * sum * nanosEach, seen.durationSumNanos());
      }
    }
  }

  /**
   * Races two outcomes of a new tool, many times. On failure, look for an update that writes back
   * fields of another update.
   */
  @Check(value = Rule.CONC_2, needs = STATISTICS, racing = true)
  void nothingIsOverwritten(Bench bench) {
    String story = "2 callers record a success of 1 ns and a failure of 2 ns at the same instant";
    int rounds = 20_000;
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    successMeetsFailure(bench, story, rounds, subject);
    for (int round = 0; round < rounds; round++) {
      Statistics seen = subject.statistics("tool-" + round);
      bench.expect(story, "the successes", 1L, seen.successes());
      bench.expect(story, "the failures", 1L, seen.failures());
      bench.expect(story, "the sum", 3L, seen.durationSumNanos());
      bench.expect(story, "the maximum", 2L, seen.maxDurationNanos());
    }
  }

  /**
   * Races a few outcomes on a new tool. The EWMA must be the result of some order of them. On
   * failure, look for a lost or repeated step.
   */
  @Check(value = Rule.CONC_2, needs = SCORE, racing = true)
  void noStepOfTheEwmaIsLost(Bench bench) {
    String story = "2 callers record 3 failures and 1 success each, at once";
    Set<Long> legal = new HashSet<>();
    interleave(1_000_000, 0, 0, legal);
    int rounds = 20_000;
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          rounds,
          (caller, round) -> {
            long nanos = round % 2 == 0 ? 1 : Bench.seconds(10);
            for (int n = 0; n < 4; n++) {
              if (isSuccess(n)) {
                subject.recordSuccess("tool-" + round, nanos);
              } else {
                subject.recordFailure("tool-" + round, nanos);
              }
            }
          });
    }
    for (int round = 0; round < rounds; round++) {
      long ewma = subject.ewma("tool-" + round);
      bench.expect(story, "the EWMA " + ewma + " is legal", true, legal.contains(ewma));
    }
  }

  private static boolean isSuccess(int n) {
    return n == 1;
  }

  /** Collects the EWMA of every merge of the two callers' outcomes, each in its own order. */
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

  /**
   * Reads counters beside writers. No counter may fall, lag behind the recorded outcomes, or exceed
   * the started ones. Counters are not compared with each other, because they may be read one by
   * one. On failure, look for a counter that is summed up while its parts change.
   */
  @Check(value = Rule.CONC_2, needs = STATISTICS, fieldCase = "C33", racing = true)
  void countersNeverGoBack(Bench bench) {
    String story = "3 callers record outcomes while another reads";
    try (Callers callers = bench.callers(4)) {
      for (int round = 0; round < 20; round++) {
        Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
        Progress progress = new Progress();
        List<String> problems =
            callers.all(
                story,
                i -> i > 0 ? () -> write(subject, progress) : () -> watch(subject, progress));
        bench.expect(story, "problems of the reader", "none", problems.get(0));
        Statistics end = subject.statistics(TOOL);
        bench.expect(story, "the total at the end", progress.recorded.get(), end.total());
        bench.expect(
            story,
            "successes + failures at the end",
            end.total(),
            end.successes() + end.failures());
      }
    }
  }

  /** The numbers of started and recorded outcomes, counted by the kit itself. */
  private static final class Progress {
    final AtomicLong begun = new AtomicLong();
    final AtomicLong recorded = new AtomicLong();
    final AtomicBoolean over = new AtomicBoolean();

    boolean goesOn() {
      return !over.get() && !Thread.currentThread().isInterrupted();
    }
  }

  /** Records until the reader is done, so that the two overlap on any machine. */
  private static String write(Subject subject, Progress progress) {
    try {
      for (int n = 0; progress.goesOn(); n++) {
        progress.begun.incrementAndGet();
        if (n % 3 == 0) {
          subject.recordFailure(TOOL, 2);
        } else {
          subject.recordSuccess(TOOL, 1);
        }
        progress.recorded.incrementAndGet();
      }
      return "";
    } finally {
      progress.over.set(true);
    }
  }

  /** Reads until outcomes have arrived between two reads, many times. */
  private static String watch(Subject subject, Progress progress) {
    try {
      Statistics last = subject.statistics(TOOL);
      long atLeast = progress.recorded.get();
      for (int moved = 0; moved < 200 && progress.goesOn(); ) {
        long before = atLeast;
        atLeast = progress.recorded.get();
        Statistics next = subject.statistics(TOOL);
        long atMost = progress.begun.get();
        if (fell(last, next) || !isBetween(atLeast, next, atMost)) {
          return "read %s and then %s, with %d recorded before and %d begun after the second read"
              .formatted(last, next, atLeast, atMost);
        }
        moved += atLeast > before ? 1 : 0;
        last = next;
      }
      return "none";
    } finally {
      progress.over.set(true);
    }
  }

  private static boolean fell(Statistics last, Statistics next) {
    return next.successes() < last.successes()
        || next.failures() < last.failures()
        || next.durationSumNanos() < last.durationSumNanos()
        || next.maxDurationNanos() < last.maxDurationNanos();
  }

  /** Returns whether all counters lie within the bounds. Each outcome lasts 1 or 2 ns. */
  private static boolean isBetween(long atLeast, Statistics seen, long atMost) {
    long both = seen.successes() + seen.failures();
    return Math.min(seen.total(), both) >= atLeast
        && Math.max(seen.total(), both) <= atMost
        && seen.durationSumNanos() >= atLeast
        && seen.durationSumNanos() <= 2 * atMost
        && seen.maxDurationNanos() >= Math.min(1, atLeast);
  }

  /**
   * Runs four callers at full speed on one tool, through trips and probes. By the JVM's own
   * counters, no caller may ever be parked or blocked. The tool's name has the same hash code as an
   * earlier name, so a map that locks on collisions fails, too. On failure, look for a lock.
   */
  @Check(
      value = Rule.CONC_3,
      needs = {LOCK_FREE, MANUAL_CLOCK},
      racing = true)
  void nobodyIsEverBlocked(Bench bench) {
    String story = "4 callers ask and record at full speed";
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Subject subject = bench.adapter().create(new Config(2, 0, 5), new ManualClock(0));
    subject.allowRequest("Aa"); // the same hash code as the tool's name
    try (Callers callers = bench.callers(4)) {
      waits(callers, story, threads, subject, 20_000); // classes load, code compiles
      List<Long> waits = waits(callers, story, threads, subject, 300_000);
      if (!waits.equals(NO_WAITS)) {
        // The JVM blocks threads, too, for example to load a class. So one wait may be harmless.
        waits = waits(callers, story, threads, subject, 300_000);
      }
      bench.expect(story, "waits of each caller", NO_WAITS, waits);
    }
  }

  private static List<Long> waits(
      Callers callers, String story, ThreadMXBean threads, Subject subject, int calls) {
    return callers.all(
        story,
        i ->
            () -> {
              long before = waits(threads);
              hammer(subject, calls);
              return waits(threads) - before;
            });
  }

  private static void hammer(Subject subject, int calls) {
    String tool = "BB";
    for (int n = 0; n < calls; n++) {
      subject.allowRequest(tool);
      if (n % 8 < 3) {
        subject.recordFailure(tool, n);
      } else {
        subject.recordSuccess(tool, n);
      }
    }
  }

  private static long waits(ThreadMXBean threads) {
    ThreadInfo info = threads.getThreadInfo(Thread.currentThread().getId());
    return info.getBlockedCount() + info.getWaitedCount();
  }
}

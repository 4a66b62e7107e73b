package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.CONSECUTIVE_FAILURES;
import static dev.toolhealth.tck.Capability.HANDLES;
import static dev.toolhealth.tck.Capability.LOCK_FREE;
import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.ORACLE;
import static dev.toolhealth.tck.Capability.RECONFIGURATION;
import static dev.toolhealth.tck.Capability.ROUTING;
import static dev.toolhealth.tck.Capability.SCORE;
import static dev.toolhealth.tck.Capability.STATISTICS;
import static dev.toolhealth.tck.Capability.SUMMARY;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.HealthStatus;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.SummaryEntry;
import dev.toolhealth.tck.script.ManualClock;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The checks of chapter REG: names and their tools. */
final class RegistryRules {
  private static final Config TRIPS_AT_ONCE = new Config(1, Bench.OUT_OF_REACH, 10);

  /** Uses two tools in turns. On failure, look for shared state. */
  @Check(value = Rule.REG_1, needs = MANUAL_CLOCK)
  void toolsAreIndependent(Bench bench) {
    bench
        .scenario(new Config(2, 10, 30))
        .tool("one")
        .failures(2)
        .tool("two")
        .state(CircuitState.CLOSED)
        .counts(0, 0)
        .ewma(1_000_000)
        .failure() // the first failure of "two"
        .consecutiveFailures(1)
        .granted()
        .at(10)
        .tool("one")
        .granted()
        .tool("two")
        .success()
        .tool("one")
        .state(CircuitState.HALF_OPEN)
        .counts(0, 2)
        .refused()
        .success()
        .tool("two")
        .counts(1, 1)
        .state(CircuitState.CLOSED);
  }

  /** Names that folding case, trimming, cutting, normalizing or splitting would make equal. */
  private static final List<String> ALIKE =
      List.of(
          "Search",
          "search",
          "SEARCH",
          "Search ",
          " Search",
          "Searc",
          "Search\0",
          "Search\0a",
          "title",
          "TITLE",
          "t\u0131tle",
          "T\u0130TLE", // in Turkish, I and i are not a pair
          "\u00e9",
          "e\u0301",
          "e",
          "\u00c9", // composed, decomposed, plain, upper case
          "\u00df",
          "ss",
          "\u1e9e",
          "\ufb01",
          "fi",
          "\uff41",
          "a",
          "A",
          "\u0430", // look-alikes
          "a:b",
          "b",
          "a|b",
          "a{b}",
          "a.b",
          "a-b",
          "a_b",
          "a/b",
          "a\\b",
          "a,b",
          "a;b",
          "a=b",
          "a#b",
          "a@b",
          "a?b",
          "a&b",
          "a%b",
          "a*",
          "a*b",
          "a+b",
          "a%20b",
          "a b",
          "a  b",
          "a\tb",
          "a\nb",
          "a\r\nb",
          "ab",
          "ba",
          "\"a\"",
          "'a'",
          "a\u00a0b",
          "a\u200bb",
          "\ufeffa",
          "tool",
          "tool1",
          "tool2",
          "tool10",
          "tool01",
          "tool-1",
          "tool 1",
          "1",
          "01",
          "1.0",
          "-1",
          "Aa",
          "BB",
          "AaAa",
          "BBBB",
          "AaBB", // the same hash codes
          "\ud800",
          "?",
          "\ud801",
          "\udc00",
          "\ufffd", // unpaired surrogates
          "a\ud83d\ude00",
          "a\ud83d\ude01",
          "\ud83d\ude00", // characters that take two chars
          "",
          " ",
          "  ",
          "\t",
          "\n",
          "\0",
          "null",
          "default",
          "unknown",
          "none",
          "*",
          "undefined");

  /**
   * Trips similar names of up to ten thousand characters, one after the other. No name may be open
   * before its own failure. On failure, compare the two names for folding, trimming or hashing.
   */
  @Check(value = Rule.REG_1, fieldCase = "C27")
  void namesAreComparedExactly(Bench bench) {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr-TR"));
    try {
      oneAfterTheOther(bench, ALIKE);
      List<String> lengths = new ArrayList<>();
      for (int length : new int[] {1, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1_000, 9_999}) {
        lengths.add("x".repeat(length));
        lengths.add("x".repeat(length) + "y");
        lengths.add("y" + "x".repeat(length));
      }
      oneAfterTheOther(bench, lengths);
    } finally {
      Locale.setDefault(before);
    }
  }

  private static void oneAfterTheOther(Bench bench, List<String> names) {
    Scenario scenario = bench.scenario(TRIPS_AT_ONCE);
    for (String name : names) {
      scenario.tool(name).available(true).state(CircuitState.CLOSED).granted().failure().refused();
    }
    for (String name : names) {
      // An equal string in another object is the same name.
      scenario.tool(new String(name.toCharArray())).refused();
    }
    scenario.toolCount(names.size());
  }

  /**
   * Sets different fallbacks for similar names. On failure, look for a separate notion of equality
   * in the table of fallbacks.
   */
  @Check(value = Rule.REG_1, needs = ROUTING)
  void fallbacksBelongToTheExactName(Bench bench) {
    Scenario scenario = bench.scenario(TRIPS_AT_ONCE);
    scenario.tool("Search").fallbacks("f").failure().route("f");
    for (String name : ALIKE) {
      if (!name.equals("Search")) {
        scenario.tool(name).failure().route(name).fallbacks("g").route("g");
      }
    }
    scenario.tool("Search").route("f");
  }

  /**
   * Trips every third of thousands of tools. On failure, look for a limit on tools, eviction, or a
   * collision of hash codes.
   */
  @Check(Rule.REG_1)
  void manyToolsAreIndependent(Bench bench) {
    int tools = 12_000;
    String story = "with " + tools + " tools, tool-0, tool-3, tool-6 and so on tripped";
    Subject subject = bench.adapter().create(TRIPS_AT_ONCE, () -> 0);
    for (int i = 0; i < tools; i++) {
      if (i % 3 == 0) {
        subject.recordFailure("tool-" + i, 1);
      } else {
        subject.recordSuccess("tool-" + i, 1);
      }
    }
    for (int i = 0; i < tools; i++) {
      bench.expect(
          story, "allowRequest(\"tool-" + i + "\")", i % 3 != 0, subject.allowRequest("tool-" + i));
    }
  }

  /** Creates two registries with the same adapter and clock. On failure, look for static state. */
  @Check(Rule.REG_1)
  void registriesAreIndependent(Bench bench) {
    LongSupplier clock = () -> 0;
    Subject one = bench.adapter().create(TRIPS_AT_ONCE, clock);
    Subject two = bench.adapter().create(TRIPS_AT_ONCE, clock);
    String story = "two registries, \"search\" tripped in the first";
    one.recordFailure("search", 1);
    bench.expect(story, "allowRequest in the first registry", false, one.allowRequest("search"));
    bench.expect(story, "allowRequest in the second registry", true, two.allowRequest("search"));
  }

  /**
   * Creates tools by a success, a failure and a gate call, and uses each again. On failure, look at
   * the count of tools.
   */
  @Check(value = Rule.REG_2, needs = SUMMARY)
  void aToolComesIntoBeingOnce(Bench bench) {
    bench
        .scenario()
        .toolCount(0)
        .tool("a")
        .success()
        .toolCount(1)
        .tool("b")
        .failure()
        .toolCount(2)
        .tool("c")
        .granted()
        .toolCount(3)
        .success()
        .failure()
        .granted()
        .toolCount(3);
  }

  /**
   * Creates a tool by a handle and uses it by name. On failure, look for a handle with a separate
   * tool.
   */
  @Check(value = Rule.REG_2, needs = HANDLES)
  void aHandleLeadsToTheSameTool(Bench bench) {
    Scenario scenario =
        bench.scenario(new Config(3, Bench.OUT_OF_REACH, 10)).toolCount(0).failure();
    scenario.toolCount(1).handle().toolCount(1).failure().counts(0, 2).success().counts(1, 2);
    scenario.failures(3).state(CircuitState.OPEN).refused();
    scenario.byName().refused().byHandle().refused();
    bench.scenario().tool("new").handle().toolCount(1).granted().counts(0, 0);
  }

  /**
   * Uses a tool by name and by handle in turns. On failure, look for a handle with a cached state.
   */
  @Check(
      value = Rule.REG_2,
      needs = {HANDLES, MANUAL_CLOCK})
  void byNameAndByHandleInTurns(Bench bench) {
    bench
        .scenario(new Config(2, 10, 20))
        .handle()
        .granted()
        .byName()
        .failures(2)
        .byHandle()
        .refused()
        .at(10)
        .granted()
        .byHandle()
        .refused()
        .handle() // another one
        .refused()
        .success(-3)
        .byName()
        .granted()
        .failure()
        .failure(-4)
        .handle()
        .refused()
        .counts(1, 4)
        .durationSum(3)
        .maxDuration(1);
  }

  /**
   * Races many callers for one new name and for many new names. On failure, look for a tool created
   * twice, and outcomes lost with the first copy.
   */
  @Check(
      value = Rule.REG_2,
      needs = {STATISTICS, SUMMARY},
      fieldCase = "C26",
      racing = true)
  void firstSightAllAtOnce(Bench bench) {
    int count = 64;
    String story = count + " callers record 1000 failures each of one new name";
    try (Callers callers = bench.callers(count)) {
      Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
      callers.all(
          story,
          i ->
              () -> {
                for (int n = 0; n < 1_000; n++) {
                  subject.recordFailure("new", 1);
                }
                return true;
              });
      bench.expect(story, "the failures", 64_000L, subject.statistics("new").failures());
      if (bench.claims(CONSECUTIVE_FAILURES)) {
        bench.expect(
            story, "the consecutive failures", 64_000L, subject.consecutiveFailures("new"));
      }
      bench.expect(story, "the tools", 1L, subject.toolCount());
      story = count + " callers each ask the gate for a new name of their own";
      callers.all(story, i -> () -> subject.allowRequest("own-" + i));
      bench.expect(story, "the tools", 65L, subject.toolCount());
    }
    firstSight(bench, count, 200);
    firstSight(bench, 2, 20_000); // two callers on two cores meet more closely
  }

  /**
   * Races callers for a handle on one new name, through which each records an outcome. On failure,
   * look for a tool created twice.
   */
  @Check(
      value = Rule.REG_2,
      needs = {HANDLES, STATISTICS, SUMMARY},
      racing = true)
  void handlesOnOneNewName(Bench bench) {
    handles(bench, 64, 200);
    handles(bench, 2, 20_000);
  }

  private static void handles(Bench bench, int count, int names) {
    String story =
        count
            + " callers request a handle on one new name at the same instant and record a failure";
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    try (Callers callers = bench.callers(count)) {
      callers.rounds(story, names, (caller, i) -> subject.handle("new-" + i).recordFailure(1));
    }
    for (int i = 0; i < names; i++) {
      bench.expect(story, "the failures", (long) count, subject.statistics("new-" + i).failures());
    }
    bench.expect(story, "the tools", (long) names, subject.toolCount());
  }

  private static void firstSight(Bench bench, int count, int names) {
    String story = count + " callers record a failure of one new name at the same instant";
    Subject subject = bench.adapter().create(new Config(0, 10, 10), () -> 0);
    try (Callers callers = bench.callers(count)) {
      callers.rounds(story, names, (caller, i) -> subject.recordFailure("new-" + i, 1));
    }
    for (int i = 0; i < names; i++) {
      bench.expect(story, "the failures", (long) count, subject.statistics("new-" + i).failures());
    }
    bench.expect(story, "the tools", (long) names, subject.toolCount());
  }

  /**
   * Reads unused names. On failure, look for reads with side effects, or for values other than
   * those of a new tool.
   */
  @Check(value = Rule.REG_3, needs = SUMMARY)
  void readingCreatesNothing(Bench bench) {
    Scenario scenario = bench.scenario().tool("known").success().toolCount(1);
    for (int i = 0; i < 10; i++) {
      scenario
          .tool("unknown-" + i)
          .available(true)
          .state(CircuitState.CLOSED)
          .consecutiveFailures(0)
          .counts(0, 0)
          .successRate(1.0)
          .durationSum(0)
          .averageDuration(0)
          .maxDuration(0)
          .ewma(1_000_000)
          .score(1.0)
          .status(HealthStatus.HEALTHY)
          .route("unknown-" + i)
          .toolCount(1);
      scenario.askEverything();
      scenario.toolCount(1);
    }
  }

  /**
   * Changes the configuration between two tools. On failure, look for a breaker without its own
   * configuration.
   */
  @Check(
      value = Rule.REG_4,
      needs = {RECONFIGURATION, MANUAL_CLOCK})
  void existingBreakersKeepTheirs(Bench bench) {
    bench
        .scenario(new Config(2, 100, 50))
        .tool("old")
        .granted() // creates the tool
        .configure(new Config(1, 10, 5))
        .tool("new")
        .failure()
        .state(CircuitState.OPEN)
        .at(9)
        .refused()
        .at(10)
        .granted()
        .at(14)
        .state(CircuitState.HALF_OPEN)
        .at(15)
        .state(CircuitState.OPEN)
        .tool("old")
        .failure()
        .state(CircuitState.CLOSED)
        .failure()
        .state(CircuitState.OPEN)
        .at(114)
        .refused()
        .at(115)
        .granted()
        .at(164)
        .state(CircuitState.HALF_OPEN)
        .at(165)
        .state(CircuitState.OPEN);
  }

  /**
   * Changes the threshold and later the cooldown, and reads a name before it exists. The read must
   * not fix the configuration of the name.
   */
  @Check(
      value = Rule.REG_4,
      needs = {RECONFIGURATION, MANUAL_CLOCK},
      fieldCase = "C25")
  void whenAConfigurationBites(Bench bench) {
    Scenario scenario =
        bench
            .scenario()
            .tool("a")
            .failure()
            .configure(new Config(1, Bench.seconds(30), Bench.seconds(30)))
            .tool("b")
            .failure()
            .state(CircuitState.OPEN)
            .refused()
            .at(Bench.ms(1))
            .tool("a")
            .failure()
            .state(CircuitState.CLOSED)
            .at(Bench.ms(2))
            .failure()
            .state(CircuitState.OPEN)
            .at(Bench.ms(3))
            .configure(new Config(1, Bench.seconds(5), Bench.seconds(30)))
            .tool("c")
            .failure()
            .at(Bench.ms(5_002))
            .available(false)
            .refused()
            .at(Bench.ms(5_003))
            .granted()
            .tool("a")
            .available(false)
            .at(Bench.ms(30_001))
            .refused()
            .at(Bench.ms(30_002))
            .available(true)
            .granted();
    scenario.equal(
        "allowRequest(\"b\") after its own cooldown", true, scenario.subject().allowRequest("b"));
    Scenario read = bench.scenario().tool("c");
    read.askEverything();
    read.configure(new Config(1, 10, 10)).failure().state(CircuitState.OPEN).refused();
  }

  /**
   * Races the creation of names against changes of the configuration. Each breaker must use one
   * configuration as a whole. On failure, look for fields that are read one by one.
   */
  @Check(
      value = Rule.REG_4,
      needs = {RECONFIGURATION, MANUAL_CLOCK},
      fieldCase = "C25",
      racing = true)
  void aConfigurationIsTakenWhole(Bench bench) {
    Config quick = new Config(1, 10, 10);
    Config slow = new Config(2, 1_000, 10);
    ManualClock clock = new ManualClock(0);
    Subject subject = bench.adapter().create(quick, clock);
    String story = "a caller creates names while another changes the configuration back and forth";
    int names = 3_000;
    AtomicInteger created = new AtomicInteger();
    try (Callers callers = bench.callers(2)) {
      callers.rounds(
          story,
          names,
          (caller, i) -> {
            if (caller == 0) {
              try {
                subject.recordFailure("tool-" + i, 1);
              } finally {
                created.incrementAndGet();
              }
            } else {
              configureToAndFro(subject, slow, quick, i, () -> created.get() > i);
            }
          });
    }
    List<String> closed = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (int i = 0; i < names; i++) {
      String tool = "tool-" + i;
      (subject.allowRequest(tool) ? closed : open).add(tool);
    }
    closed.forEach(tool -> subject.recordFailure(tool, 1));
    clock.setElapsed(10);
    for (String tool : open) {
      bench.expect(
          story,
          "a tool that tripped at the first failure is granted at 10 ns",
          true,
          subject.allowRequest(tool));
    }
    clock.setElapsed(999);
    for (String tool : closed) {
      bench.expect(
          story,
          "a tool that tripped at the second failure is granted at 999 ns",
          false,
          subject.allowRequest(tool));
    }
  }

  /**
   * Changes the configuration back and forth until the other caller is done. A fixed number of
   * changes could be over before the other caller starts. The loop yields, because both may share
   * one core, and in a varying rhythm, so that the two do not yield in step.
   */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void configureToAndFro(
      Subject subject, Config one, Config another, int round, BooleanSupplier isDone) {
    for (int n = 0; n < 1_000 && !isDone.getAsBoolean(); n++) {
      subject.configure(one);
      Thread.yield();
      subject.configure(another);
      if ((n + round) % 2 == 0) {
        Thread.yield();
      }
    }
  }

  /**
   * Creates tools in all ways and reads the summary. On failure, look for a missing tool, or a
   * status without regard to the breaker.
   */
  @Check(
      value = Rule.REG_5,
      needs = {SUMMARY, SCORE})
  void theSummaryHasEveryTool(Bench bench) {
    Scenario scenario = bench.scenario(new Config(3, 10, 10));
    scenario.summary(Map.of());
    scenario.tool("good").successes(97).tool("fair").success().success().failure();
    scenario.tool("bad").failures(2).tool("open").failures(3).tool("idle").granted();
    scenario.summary(
        Map.of(
            "good", new SummaryEntry(HealthStatus.HEALTHY, 1.0),
            "fair", new SummaryEntry(HealthStatus.DEGRADED, 0.69),
            "bad", new SummaryEntry(HealthStatus.UNHEALTHY, 0.343),
            "open", new SummaryEntry(HealthStatus.UNHEALTHY, 0.2401),
            "idle", new SummaryEntry(HealthStatus.HEALTHY, 1.0)));
    scenario.tool("good").failures(3); // the score is 0.531, which alone would be DEGRADED
    bench.expect(
        "a tool was tripped", "its status", HealthStatus.UNHEALTHY, status(scenario, "good"));
  }

  /**
   * Creates many tools with unusual names and reads the summary. On failure, look at the missing
   * names.
   */
  @Check(
      value = Rule.REG_5,
      needs = {SUMMARY, SCORE})
  void theSummaryHasEveryName(Bench bench) {
    Set<String> names = new HashSet<>(ALIKE);
    for (int i = 0; i < 1_500; i++) {
      names.add("name-" + i);
    }
    Subject subject = bench.adapter().create(TRIPS_AT_ONCE, () -> 0);
    names.forEach(name -> subject.recordSuccess(name, 1));
    Set<String> missing = new TreeSet<>(names);
    missing.removeAll(subject.healthSummary().keySet());
    String story = "a success is recorded for each of " + names.size() + " names";
    bench.expect(story, "the tools", (long) names.size(), subject.toolCount());
    bench.expect(story, "the summary's entries", names.size(), subject.healthSummary().size());
    bench.expect(story, "names missing from the summary", Set.of(), missing);
  }

  /**
   * Reads the summary while only time passes. On failure, look for a status stored with the last
   * outcome.
   */
  @Check(
      value = Rule.REG_5,
      needs = {SUMMARY, SCORE, MANUAL_CLOCK})
  void theSummaryKeepsUpWithTime(Bench bench) {
    Map<String, SummaryEntry> open =
        Map.of("search", new SummaryEntry(HealthStatus.UNHEALTHY, 0.787));
    Map<String, SummaryEntry> halfOpen =
        Map.of("search", new SummaryEntry(HealthStatus.DEGRADED, 0.787));
    bench
        .scenario(new Config(1, 10, 20))
        .successes(99)
        .failure()
        .summary(open)
        .at(10)
        .summary(open)
        .granted()
        .summary(halfOpen)
        .at(29)
        .summary(halfOpen)
        .at(30)
        .summary(open);
  }

  private static Object status(Scenario scenario, String tool) {
    SummaryEntry entry = scenario.subject().healthSummary().get(tool);
    return entry == null ? "missing" : entry.status();
  }

  /**
   * Holds one caller inside the clock, the only place where the kit can stop a subject. Meanwhile
   * another caller uses the same tool and another. On failure, look for a lock held during the read
   * of the clock.
   */
  @Check(
      value = Rule.REG_6,
      needs = {LOCK_FREE, MANUAL_CLOCK},
      racing = true)
  void nobodyWaitsForASleeper(Bench bench) {
    String story = "a caller is held in the clock while another records and asks";
    for (boolean failing : new boolean[] {false, true}) {
      StoppableClock clock = new StoppableClock();
      Subject subject = bench.adapter().create(new Config(1, 1_000, 1_000), clock);
      subject.recordFailure("tripped", 1);
      subject.recordSuccess("other", 1);
      try (Callers callers = bench.callers(2)) {
        clock.holdUp("sleeper");
        List<Boolean> done =
            callers.all(
                story,
                i ->
                    () -> {
                      if (i == 0) {
                        Thread.currentThread().setName("sleeper");
                        if (failing) {
                          subject.recordFailure("tripped", 1);
                        } else {
                          subject.allowRequest("tripped");
                        }
                        return clock.wasReleased();
                      }
                      try {
                        clock.awaitSleeper();
                        for (String tool : List.of("tripped", "other")) {
                          subject.recordSuccess(tool, 1);
                          subject.recordFailure(tool, 1);
                          subject.allowRequest(tool);
                          if (bench.claims(ORACLE)) {
                            subject.isToolAvailable(tool);
                          }
                        }
                        return true;
                      } finally {
                        clock.release();
                      }
                    });
        bench.expect(
            story, "the other caller finished before the held caller", List.of(true, true), done);
      }
    }
  }

  /** A clock that can hold one thread. */
  private static final class StoppableClock implements LongSupplier {
    // Enough for a dozen calls on a busy machine. A subject that locks costs the kit this long.
    private static final long PATIENCE_SECONDS = 5;

    private final CountDownLatch asleep = new CountDownLatch(1);
    private final CountDownLatch awake = new CountDownLatch(1);
    private volatile String held = "";
    private volatile boolean gaveUp;

    void holdUp(String threadName) {
      held = threadName;
    }

    void awaitSleeper() throws InterruptedException {
      if (!asleep.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the subject never read the clock");
      }
    }

    void release() {
      awake.countDown();
    }

    boolean wasReleased() {
      return awake.getCount() == 0 && !gaveUp;
    }

    @Override
    public long getAsLong() {
      if (Thread.currentThread().getName().equals(held)) {
        asleep.countDown();
        try {
          gaveUp = !awake.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return 0;
    }
  }
}

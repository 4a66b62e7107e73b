package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.locking.Fault;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LateAdapter;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.script.Waits;
import dev.toolhealth.tck.spec.Rule;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kit makes of subjects on a clock that it cannot set. */
class WallClockTest {
  private static final Set<Rule> TIMED = timedRules();

  /** As many runs on a busy machine; more of them: {@code -Dbusy.runs=20}. */
  private static final int BUSY_RUNS = Integer.getInteger("busy.runs", 2);

  /**
   * Faults that are coarse enough for the real clock: they miss by a good part of a duration, or
   * have nothing to do with how long it is.
   */
  private static final List<String> COARSE =
      List.of(
          "SCORE-5: an expired probe is not unhealthy",
          "SCORE-5: a live probe is unhealthy",
          "SCORE-5: an open breaker is judged by its score",
          "SCORE-5: an open breaker that may be probed is judged by its score",
          "BRK-2: failures while open are not counted in the run",
          "BRK-2: the grant of the probe ends the run",
          "BRK-2: a success that is ignored ends the run",
          "BRK-3: the cooldown counts from the first failure of the run",
          "BRK-3: a refused call restarts the cooldown",
          "BRK-6: the cooldown is held in an int",
          "BRK-7: an open breaker becomes half-open by itself",
          "BRK-7: the first call after the cooldown is refused, the next is the probe",
          "BRK-8: every call is let through while half-open",
          "BRK-8: a second probe is let through after another cooldown",
          "BRK-9: a probe's success leaves the run of failures as it was",
          "BRK-9: it takes two successes to close",
          "BRK-10: after a probe's failure the cooldown counts from the grant",
          "BRK-10: after a probe's failure the old cooldown goes on",
          "BRK-10: a single failure does not end a probe if the threshold is higher",
          "BRK-11: without a cooldown every call is a probe",
          "BRK-12: the third probe and later ones are refused",
          "BRK-12: a breaker that has tripped before trips at once",
          "BRK-12: the second recovery leaves the run of failures as it was",
          "LEASE-1: the cooldown counts from when the expiry is noticed",
          "LEASE-1: the lease counts from the trip",
          "LEASE-1: the lease counts from the cooldown's end",
          "LEASE-1: a refused call renews the lease",
          "LEASE-1: an expired probe closes",
          "LEASE-2: after an expired lease a new probe is granted at once",
          "LEASE-2: after an expired lease the cooldown counts from the grant",
          "LEASE-2: after an expired lease the cooldown is as long as the lease",
          "LEASE-2: no cooldown follows a lease that is longer",
          "LEASE-2: the call that notices the expiry is refused",
          "LEASE-3: later leases count from the first grant",
          "LEASE-3: the second lease is half as long",
          "LEASE-4: a probe timeout of 0 expires at once",
          "LEASE-4: without a lease the cooldown serves as one",
          "LEASE-5: reads show an expired probe as half-open",
          "STALE-1: a success while open closes",
          "STALE-1: the second success while open closes",
          "STALE-1: a success closes once the cooldown has elapsed",
          "STALE-1: a success while open restarts the cooldown",
          "STALE-1: a success while open ends the cooldown",
          "STALE-2: a failure while open leaves the cooldown alone",
          "STALE-2: a failure after the cooldown does not restart it",
          "STALE-2: only the first failure while open restarts the cooldown",
          "STALE-3: a probe's success closes however late it is",
          "STALE-3: a late success of the probe restarts the cooldown",
          "STALE-3: a late success of the probe ends the cooldown",
          "STALE-3: a late success of the probe ends the run of failures",
          "STALE-4: a late failure of the probe leaves the cooldown at the lease's end",
          "STALE-4: a late failure of the probe does not count",
          "STALE-4: a late failure of the probe does not restart a cooldown that is over",
          "ORACLE-1: the oracle goes by the state's name alone",
          "ORACLE-1: the oracle does not see that a lease has expired",
          "ORACLE-1: the oracle keeps its answer until the next outcome",
          "ORACLE-2: the oracle takes the probe",
          "ORACLE-2: the hundredth question takes the probe",
          "ORACLE-2: a read of an expired probe restarts the cooldown",
          "ORACLE-2: asking for the score moves it",
          "ROUTE-1: the primary is taken only while closed",
          "ROUTE-3: an unhealthy fallback will never do",
          "ROUTE-5: routing takes the primary's probe");

  /** Correct subjects, on several clocks. */
  static List<OnClock> correctSubjects() {
    return List.of(
        new OnClock("nanoTime", new LockingAdapter(), System::nanoTime),
        new OnClock("ticks of 15 ms", new LockingAdapter(), () -> ticks(15)),
        new OnClock("nanoTime, the reference", new ReferenceAdapter(), System::nanoTime),
        new OnClock("timers that are late", new LateAdapter(), System::nanoTime),
        new OnClock(
            "the time of day in milliseconds",
            new LockingAdapter(),
            () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis())));
  }

  private static long ticks(long millis) {
    long tick = TimeUnit.MILLISECONDS.toNanos(millis);
    return Math.floorDiv(System.nanoTime(), tick) * tick;
  }

  @ParameterizedTest
  @MethodSource("correctSubjects")
  void isNotAccusedAndJudgedByAllTimedRules(OnClock adapter) {
    List<RuleResult> results = certify(adapter, TIMED, new ArrayList<>());
    assertThat(results).filteredOn(r -> r.outcome() == Outcome.FAILED).isEmpty();
    assertThat(outcomes(results, Outcome.PASSED)).isEqualTo(TIMED);
    assertThat(results).allMatch(result -> result.cases() > 0);
  }

  /** What cannot be seen on the real clock is said to be unseen, and so are its reasons. */
  @Test
  void onlyLockFreedomAndPermitsCannotBeTested() {
    OnClock reference =
        new OnClock("nanoTime, the reference", new ReferenceAdapter(), System::nanoTime);
    List<RuleResult> results = certify(reference, EnumSet.allOf(Rule.class), new ArrayList<>());
    Set<Rule> unseen = EnumSet.of(Rule.REG_6, Rule.CONC_3);
    unseen.addAll(EnumSet.range(Rule.PERMIT_1, Rule.PERMIT_5));
    assertThat(outcomes(results, Outcome.NOT_TESTABLE)).isEqualTo(unseen);
    assertThat(outcomes(results, Outcome.PASSED)).isEqualTo(EnumSet.complementOf(copy(unseen)));
    assertThat(results)
        .filteredOn(result -> result.outcome() == Outcome.NOT_TESTABLE)
        .allMatch(r -> r.remark().equals("it cannot be checked without MANUAL_CLOCK"));
  }

  /** The checks above see little if they see none of these. */
  @Test
  void coarseFaultsAreCaughtByTheirRule() throws Exception {
    Map<String, Future<Outcome>> running = new LinkedHashMap<>();
    ExecutorService judges = Executors.newFixedThreadPool(8);
    try {
      for (Fault fault : coarseFaults()) {
        running.put(fault.toString(), judges.submit(() -> outcome(fault.adapter(), fault.rule())));
      }
      assertThat(running.keySet()).containsExactlyElementsOf(COARSE);
      for (Map.Entry<String, Future<Outcome>> fault : running.entrySet()) {
        assertThat(fault.getValue().get()).as(fault.getKey()).isEqualTo(Outcome.FAILED);
      }
    } finally {
      judges.shutdownNow();
    }
  }

  private static List<Fault> coarseFaults() {
    List<Fault> faults = new ArrayList<>(Faults.all());
    faults.removeIf(fault -> !COARSE.contains(fault.toString()));
    return faults;
  }

  /** Ten times too long, and ten times too short. */
  @Test
  void durationsOfAnotherOrderAreCaught() throws Exception {
    ExecutorService judges = Executors.newCachedThreadPool();
    try {
      List<Future<Outcome>> outcomes = new ArrayList<>();
      outcomes.add(judges.submit(() -> outcome(scaled(10, 1), Rule.BRK_7)));
      outcomes.add(judges.submit(() -> outcome(scaled(0.1, 1), Rule.BRK_6)));
      outcomes.add(judges.submit(() -> outcome(scaled(1, 10), Rule.LEASE_1)));
      outcomes.add(judges.submit(() -> outcome(scaled(1, 0.1), Rule.LEASE_1)));
      for (Future<Outcome> outcome : outcomes) {
        assertThat(outcome.get()).isEqualTo(Outcome.FAILED);
      }
    } finally {
      judges.shutdownNow();
    }
  }

  private static Outcome outcome(Adapter adapter, Rule rule) {
    OnClock subject = new OnClock("", adapter, System::nanoTime);
    return certify(subject, EnumSet.of(rule), new ArrayList<>()).get(0).outcome();
  }

  private static Adapter scaled(double recovery, double lease) {
    return new LockingAdapter() {
      @Override
      public Subject create(Config config, LongSupplier nanoClock) {
        return super.create(
            new Config(
                config.failureThreshold(),
                (long) (config.recoveryNanos() * recovery),
                (long) (config.probeTimeoutNanos() * lease)),
            nanoClock);
      }
    };
  }

  /** The story names the rule, the steps with their times, and what was seen too early. */
  @Test
  void aDepartureTellsItsStory() {
    OnClock faulty = new OnClock("scaled", scaled(0.1, 1), System::nanoTime);
    RuleResult result = certify(faulty, EnumSet.of(Rule.BRK_6), new ArrayList<>()).get(0);
    assertThat(result.departures().get(0).getMessage())
        .matches(
            "(?s)BRK-6 OPEN refuses every call .*"
                + "with threshold 1, recovery [0-9]+ ms, probe timeout 3600 s, on the real clock\n"
                + " +1\\. recordFailure\\(\"search\", 1 ns\\), done at [0-9]+ ms\n"
                + " +2\\. ask repeatedly until [0-9]+ ms after step 1\n"
                // On a busy machine the first look may be the one.
                + "( +3\\. allowRequest\\(\"search\"\\): false(, [0-9]+ times)?, done at [0-9]+ ms\n)?"
                + " +[34]\\. allowRequest\\(\"search\"\\): true, done at [0-9]+ ms\n"
                + ".*: expected [a-zA-Z]+ until [0-9]+ ms after step 1, saw [a-z]+");
  }

  /**
   * A subject that puts off the end of the lease whenever it is asked needs only a pause in the
   * questions to look well. Here its own slowness, once, makes the pause.
   */
  @Test
  void aPauseInTheQuestionsIsNotToItsCredit() {
    Adapter faulty =
        Faults.all().stream()
            .filter(fault -> fault.toString().equals("LEASE-1: a refused call renews the lease"))
            .findFirst()
            .orElseThrow()
            .adapter();
    AtomicBoolean paused = new AtomicBoolean();
    OnClock pausing = new OnClock("pausing", new Pausing(faulty, paused), System::nanoTime);
    Certification certification = new Certification(pausing, 1, Waits.DEFAULT.withMultiplier(0.4));
    RuleResult result = certification.run(EnumSet.of(Rule.LEASE_1)).get(0);
    assertThat(paused).isTrue();
    assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
  }

  /** Once, long after a probe, a refusal takes so long that a lease can end meanwhile. */
  private record Pausing(Adapter adapter, AtomicBoolean paused) implements Adapter {
    @Override
    public Set<Capability> capabilities() {
      return adapter.capabilities();
    }

    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      Subject subject = adapter.create(config, nanoClock);
      long lease = config.probeTimeoutNanos();
      AtomicLong probed = new AtomicLong(System.nanoTime());
      return intercepting(
          subject,
          (method, answer) -> {
            if (method.equals("allowRequest") && answer != null) {
              long now = System.nanoTime();
              if (answer.equals(true)) {
                probed.set(now);
              } else if (now - probed.get() > 3 * lease && paused.compareAndSet(false, true)) {
                spinUntil(now + 3 * lease);
              }
            }
          });
    }
  }

  /** A subject that answers only when a cooldown has passed lets nothing be seen in time. */
  @Test
  void whatCannotBeSeenInTimeIsNotTestable() {
    OnClock sluggish = new OnClock("sluggish", new Sluggish(), System::nanoTime);
    Waits quick = Waits.DEFAULT.withMultiplier(0.04);
    RuleResult result = new Certification(sluggish, 1, quick).run(EnumSet.of(Rule.BRK_6)).get(0);
    assertThat(result.outcome()).isEqualTo(Outcome.NOT_TESTABLE);
    assertThat(result.remark())
        .isEqualTo(
            "refuses during the cooldown (on the real clock): the answers after step 1 came too"
                + " late to count");
    assertThat(result.cases()).isZero();
  }

  private static final class Sluggish extends LockingAdapter {
    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      return intercepting(
          super.create(config, nanoClock),
          (method, answer) -> spinUntil(System.nanoTime() + config.recoveryNanos()));
    }
  }

  /** What happens between a subject's answer and the kit's seeing it. */
  private interface Interception {
    void of(String method, @Nullable Object answer);
  }

  private static Subject intercepting(Subject subject, Interception interception) {
    return (Subject)
        Proxy.newProxyInstance(
            Subject.class.getClassLoader(),
            new Class<?>[] {Subject.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(subject, arguments);
                interception.of(method.getName(), answer);
                return answer;
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNullElse(e.getCause(), e);
              }
            });
  }

  private static void spinUntil(long time) {
    while (System.nanoTime() - time < 0) {
      Thread.onSpinWait();
    }
  }

  /** All cores are kept busy twice over, so that answers are late at any moment. */
  @Test
  void nobodyIsAccusedOnABusyMachine() {
    int busy = 2 * Runtime.getRuntime().availableProcessors();
    ExecutorService spinners = Executors.newFixedThreadPool(busy);
    try {
      for (int i = 0; i < busy; i++) {
        spinners.execute(WallClockTest::spin);
      }
      List<OnClock> subjects = correctSubjects();
      for (int run = 0; run < BUSY_RUNS; run++) {
        OnClock subject = subjects.get(run % subjects.size());
        long begin = System.nanoTime();
        List<String> account = new ArrayList<>();
        List<RuleResult> results = certify(subject, TIMED, account);
        System.out.printf(
            "busy machine, %s: %s, %d of %d rules passed, %d ms%n",
            subject,
            String.join(", ", account),
            outcomes(results, Outcome.PASSED).size(),
            TIMED.size(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        assertThat(results)
            .as(subject.toString())
            .filteredOn(r -> r.outcome() == Outcome.FAILED)
            .isEmpty();
      }
    } finally {
      spinners.shutdownNow();
    }
  }

  private static void spin() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private static List<RuleResult> certify(Adapter adapter, Set<Rule> rules, List<String> account) {
    return new Certification(adapter, Certification.DEFAULT_SEED).run(rules, account::add);
  }

  private static Set<Rule> outcomes(List<RuleResult> results, Outcome outcome) {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    results.stream().filter(r -> r.outcome() == outcome).forEach(r -> rules.add(r.rule()));
    return rules;
  }

  private static EnumSet<Rule> copy(Set<Rule> rules) {
    return EnumSet.copyOf(rules);
  }

  private static Set<Rule> timedRules() {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    RuleCheck.all().stream()
        .filter(RuleCheck::onTheWallClock)
        .forEach(check -> rules.add(check.rule()));
    return rules;
  }

  /** A subject on a clock of its own, whatever clock it is handed. */
  record OnClock(String name, Adapter adapter, LongSupplier clock) implements Adapter {
    @Override
    public Set<Capability> capabilities() {
      Set<Capability> capabilities = EnumSet.copyOf(adapter.capabilities());
      capabilities.remove(Capability.MANUAL_CLOCK);
      return capabilities;
    }

    @Override
    public Subject create(Config config, LongSupplier nanoClock) {
      return adapter.create(config, clock);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}

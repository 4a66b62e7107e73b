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

/** Tests how the kit judges subjects without a settable clock. */
class WallClockTest {
  private static final Set<Rule> TIMED = timedRules();

  /** The number of runs on a busy machine. For more, set {@code -Dbusy.runs=20}. */
  private static final int BUSY_RUNS = Integer.getInteger("busy.runs", 2);

  /**
   * The faulty implementations that the real clock can catch: they are wrong by a large part of a
   * duration, or in something that does not depend on its length.
   */
  private static final List<String> COARSE =
      List.of(
          "SCORE-5: An expired probe does not make the status UNHEALTHY",
          "SCORE-5: A live probe makes the status UNHEALTHY",
          "SCORE-5: While OPEN the status depends on the score",
          "SCORE-5: After the cooldown has elapsed the status of an OPEN breaker depends on the score",
          "BRK-2: A failure while OPEN does not count as a consecutive failure",
          "BRK-2: Granting the probe resets the consecutive failures",
          "BRK-2: An ignored success resets the consecutive failures",
          "BRK-3: The cooldown starts at the first consecutive failure instead of the last",
          "BRK-3: A refused call restarts the cooldown",
          "BRK-6: The cooldown is truncated to an int of nanoseconds",
          "BRK-7: The state becomes HALF_OPEN at the cooldown's end without a gate call",
          "BRK-7: The first gate call after the cooldown is refused; the second gets the probe",
          "BRK-8: Every call is admitted while HALF_OPEN",
          "BRK-8: While a probe is live, a second one is granted after another cooldown",
          "BRK-9: The probe's success does not reset the consecutive failures",
          "BRK-9: A HALF_OPEN breaker needs two successes to close",
          "BRK-10: After the probe's failure the cooldown starts at the grant instead of the failure",
          "BRK-10: After the probe's failure the old cooldown continues",
          "BRK-10: The probe must fail as often as the threshold says before the breaker opens",
          "BRK-11: With a cooldown of 0 a probe is granted while another one is live",
          "BRK-12: No probe is granted after the second",
          "BRK-12: After its first trip the breaker trips at every failure",
          "BRK-12: The second recovery does not reset the consecutive failures",
          "LEASE-1: After an expired lease the cooldown starts when the expiry is noticed",
          "LEASE-1: The lease starts at the cooldown's start instead of the grant",
          "LEASE-1: The lease starts at the cooldown's end instead of the grant",
          "LEASE-1: A refused call renews the lease",
          "LEASE-1: An expired lease closes the breaker",
          "LEASE-2: After an expired lease a new probe is granted without a cooldown",
          "LEASE-2: After an expired lease the cooldown starts at the grant instead of the lease's end",
          "LEASE-2: After an expired lease the cooldown is as long as the lease",
          "LEASE-2: No cooldown follows a lease that is longer than the cooldown",
          "LEASE-2: The gate call that notices the expired lease is refused even after the cooldown",
          "LEASE-3: Later leases start at the first grant",
          "LEASE-3: The second lease is only half as long",
          "LEASE-4: With probe timeout 0 the probe expires at once",
          "LEASE-4: With probe timeout 0 the lease is as long as the cooldown",
          "LEASE-5: Reads show an expired probe as HALF_OPEN",
          "STALE-1: A success while OPEN closes the breaker",
          "STALE-1: The second success while OPEN closes the breaker",
          "STALE-1: A success while OPEN closes the breaker once the cooldown has elapsed",
          "STALE-1: A success while OPEN restarts the cooldown",
          "STALE-1: A success while OPEN ends the cooldown",
          "STALE-2: A failure while OPEN does not restart the cooldown",
          "STALE-2: A failure while OPEN does not restart a cooldown that has elapsed",
          "STALE-2: Only the first failure while OPEN ever restarts the cooldown",
          "STALE-3: A success after the probe's lease has expired closes the breaker",
          "STALE-3: A success after the probe's lease has expired restarts the cooldown",
          "STALE-3: A success after the probe's lease has expired ends the cooldown",
          "STALE-3: A success after the probe's lease has expired resets the consecutive failures",
          "STALE-4: A failure after the probe's lease has expired does not restart the cooldown",
          "STALE-4: A failure after the probe's lease has expired is no consecutive failure",
          "STALE-4: A failure after an expired lease does not restart a cooldown that has elapsed",
          "ORACLE-1: The oracle answers true only while CLOSED",
          "ORACLE-1: The oracle treats an expired probe as live",
          "ORACLE-1: The oracle caches its answer until the next outcome",
          "ORACLE-2: The oracle takes the probe",
          "ORACLE-2: The hundredth call of the oracle takes the probe",
          "ORACLE-2: Reading the state of an expired probe starts the cooldown anew",
          "ORACLE-2: Reading the score lowers the EWMA",
          "ROUTE-1: Routing chooses the primary only while it is CLOSED",
          "ROUTE-3: Routing never chooses an UNHEALTHY fallback",
          "ROUTE-5: Routing takes the probe of the tool that it chooses");

  /** Returns correct subjects on several clocks. */
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

  /** Rules that need a settable clock are reported as not testable, with the reason. */
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
        .allMatch(r -> r.remark().equals("cannot be checked without MANUAL_CLOCK"));
  }

  /** The tests above are worth little unless the kit also catches these implementations. */
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

  /** Cooldowns and leases that are ten times too long or ten times too short. */
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

  /** The message names the rule, the steps with their times, and the answer that came early. */
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
                // On a busy machine the first look may already find the probe granted.
                + "( +3\\. allowRequest\\(\"search\"\\): false(, [0-9]+ times)?, done at [0-9]+ ms\n)?"
                + " +[34]\\. allowRequest\\(\"search\"\\): true, done at [0-9]+ ms\n"
                + ".*: expected [a-zA-Z]+ until [0-9]+ ms after step 1, saw [a-z]+");
  }

  /**
   * A faulty implementation that renews the lease at every refused call looks correct if the kit
   * pauses between calls. Here one slow answer of the implementation itself causes the pause.
   */
  @Test
  void aPauseInTheQuestionsIsNotToItsCredit() {
    Adapter faulty =
        Faults.all().stream()
            .filter(fault -> fault.toString().equals("LEASE-1: A refused call renews the lease"))
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

  /** An adapter that once, long after a probe, delays a refusal for longer than a lease. */
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

  /** A subject whose every answer takes a whole cooldown cannot be tested during a cooldown. */
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

  /** An action between a subject's answer and its arrival at the kit. */
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

  /** Two busy threads per core can delay any answer, and still no correct subject may fail. */
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

  /** An adapter whose subjects ignore the clock they are given and use their own. */
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

package dev.toolhealth.tck.rules;

import static dev.toolhealth.tck.Capability.MANUAL_CLOCK;
import static dev.toolhealth.tck.Capability.RECONFIGURATION;
import static dev.toolhealth.tck.Capability.ROUTING;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.script.Scenario;
import dev.toolhealth.tck.spec.Rule;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The checks of chapter BAD: arguments that make no sense, and values at the edges of their range.
 */
final class BadInputRules {
  private static final String RIGHT = "an exception that names the problem";

  /**
   * Passes null to every method with a name as an argument. On failure, look at the message: it
   * must contain "tool", "name" or "primary", and a message written by the JVM does not count.
   */
  @Check(Rule.BAD_1)
  void refusesANullName(Bench bench) {
    Scenario scenario = bench.scenario(new Config(3, Bench.OUT_OF_REACH, 10)).failures(2);
    Map<String, Object> before = scenario.askEverything();
    calls(bench, scenario.subject())
        .forEach(
            (name, call) -> {
              scenario.equal(
                  name + "(null, ...)", RIGHT, nullRefusal(call, "tool", "name", "primary"));
              scenario.equal("all reads afterwards", before, scenario.askEverything());
            });
    scenario.failure().refused();
  }

  @SuppressWarnings("NullAway") // nulls are the point of this check
  private static Map<String, Runnable> calls(Bench bench, Subject subject) {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("allowRequest", () -> subject.allowRequest(null));
    calls.put("recordSuccess", () -> subject.recordSuccess(null, 1));
    calls.put("recordFailure", () -> subject.recordFailure(null, 1));
    if (bench.claims(Capability.ORACLE)) {
      calls.put("isToolAvailable", () -> subject.isToolAvailable(null));
    }
    if (bench.claims(Capability.CIRCUIT_STATE)) {
      calls.put("circuitState", () -> subject.circuitState(null));
    }
    if (bench.claims(Capability.CONSECUTIVE_FAILURES)) {
      calls.put("consecutiveFailures", () -> subject.consecutiveFailures(null));
    }
    if (bench.claims(Capability.STATISTICS)) {
      calls.put("statistics", () -> subject.statistics(null));
    }
    if (bench.claims(Capability.SCORE)) {
      calls.put("ewma", () -> subject.ewma(null));
      calls.put("score", () -> subject.score(null));
      calls.put("healthStatus", () -> subject.healthStatus(null));
    }
    if (bench.claims(Capability.HANDLES)) {
      calls.put("handle", () -> subject.handle(null));
    }
    if (bench.claims(Capability.PERMITS)) {
      calls.put("tryAcquire", () -> subject.tryAcquire(null));
    }
    if (bench.claims(Capability.ROUTING)) {
      calls.put("route", () -> subject.route(null));
      calls.put("setFallbacks", () -> subject.setFallbacks(null, List.of("other")));
    }
    return calls;
  }

  /**
   * Passes null as the primary, as the list of fallbacks, and inside the list. The earlier
   * fallbacks must stay. On failure, look at the message: it must contain "fallback", or for the
   * primary "tool", "name" or "primary".
   */
  @Check(value = Rule.BAD_1, needs = ROUTING)
  @SuppressWarnings("NullAway") // nulls are the point of this check
  void refusesANullFallback(Bench bench) {
    Scenario scenario =
        bench
            .scenario(new Config(1, Bench.OUT_OF_REACH, 10))
            .tool("P")
            .fallbacks("A")
            .failure()
            .route("A");
    Subject subject = scenario.subject();
    scenario
        .equal(
            "setFallbacks(null, [B])",
            RIGHT,
            nullRefusal(() -> subject.setFallbacks(null, List.of("B")), "tool", "name", "primary"))
        .equal(
            "setFallbacks(P, null)",
            RIGHT,
            nullRefusal(() -> subject.setFallbacks("P", null), "fallback"))
        .route("A")
        .equal(
            "setFallbacks(P, [B, null])",
            RIGHT,
            nullRefusal(() -> subject.setFallbacks("P", Arrays.asList("B", null)), "fallback"))
        .route("A");
  }

  private static String nullRefusal(Runnable call, String... names) {
    String problem = problem(NullPointerException.class, call);
    return problem.equals(RIGHT) ? namesArgument(message(call), names) : problem;
  }

  private static String namesArgument(String message, String... names) {
    String words = message.toLowerCase(Locale.ROOT);
    boolean named = Arrays.stream(names).anyMatch(words::contains);
    boolean fromTheJvm = words.startsWith("cannot ");
    return named && !fromTheJvm ? RIGHT : "a message without the name of the argument: " + message;
  }

  /**
   * Creates registries with each field slightly and very negative. On failure, look for a message
   * without the name of the field or the value.
   */
  @Check(Rule.BAD_1)
  void refusesANegativeConfiguration(Bench bench) {
    Scenario scenario = bench.scenario();
    negatives()
        .forEach(
            (config, words) ->
                scenario.equal(
                    "create with " + config,
                    RIGHT,
                    refusal(words, () -> bench.adapter().create(config, () -> 0))));
  }

  /**
   * Passes a negative configuration to a registry in use. On failure, look for a field that is set
   * before all fields are checked.
   */
  @Check(
      value = Rule.BAD_1,
      needs = {RECONFIGURATION, MANUAL_CLOCK},
      fieldCase = "C18d")
  void aRefusedConfigurationChangesNothing(Bench bench) {
    negatives()
        .forEach(
            (config, words) -> {
              Scenario scenario = bench.scenario(new Config(2, 10, 30)).failures(2);
              Runnable call = () -> scenario.subject().configure(config);
              scenario
                  .equal("configure with " + config, RIGHT, refusal(words, call))
                  .state(CircuitState.OPEN)
                  .counts(0, 2)
                  .tool("later")
                  .failure()
                  .state(CircuitState.CLOSED)
                  .granted()
                  .failure()
                  .state(CircuitState.OPEN)
                  .at(9)
                  .refused()
                  .at(10)
                  .granted()
                  .at(39)
                  .state(CircuitState.HALF_OPEN)
                  .at(40)
                  .state(CircuitState.OPEN);
            });
  }

  /**
   * Returns bad configurations, each with the field and the value that the message must contain.
   */
  private static Map<Config, String[]> negatives() {
    Map<Config, String[]> configs = new LinkedHashMap<>();
    for (int negative : new int[] {-1, Integer.MIN_VALUE}) {
      configs.put(
          new Config(negative, 10, 10), new String[] {"failureThreshold", "" + negative, ""});
    }
    for (long negative : new long[] {-1, -1_500_000, Long.MIN_VALUE}) {
      String iso = Duration.ofNanos(negative).toString();
      configs.put(new Config(1, negative, 10), new String[] {"recovery", "" + negative, iso});
      configs.put(new Config(1, 10, negative), new String[] {"probeTimeout", "" + negative, iso});
    }
    return configs;
  }

  private static String refusal(String[] words, Runnable call) {
    String problem = problem(IllegalArgumentException.class, call);
    if (!problem.equals(RIGHT)) {
      return problem;
    }
    String message = message(call);
    boolean field = message.toLowerCase(Locale.ROOT).contains(words[0].toLowerCase(Locale.ROOT));
    boolean value =
        message.contains(words[1]) || (!words[2].isEmpty() && message.contains(words[2]));
    return field && value ? RIGHT : "a message without the field or the value: " + message;
  }

  private static String problem(Class<? extends Throwable> expected, Runnable call) {
    try {
      call.run();
      return "no exception";
    } catch (RuntimeException e) {
      return expected.isInstance(e) ? RIGHT : "" + e;
    }
  }

  private static String message(Runnable call) {
    try {
      call.run();
      return RIGHT;
    } catch (RuntimeException e) {
      return "" + e.getMessage();
    }
  }

  /**
   * Plays the life of a breaker on many clocks. On each, one important instant falls on zero, just
   * before zero, or where the clock wraps. On failure, look for zero or a negative number with a
   * special meaning, and for times that are compared with < instead of by their difference.
   */
  @Check(value = Rule.BAD_2, needs = MANUAL_CLOCK)
  void clocksOfAnyOrigin(Bench bench) {
    for (long telling : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      for (long at : new long[] {0, 4, 14, 34, 44, 46, 56, 66, 86, 76, -1}) {
        life(bench.scenario(new Config(1, 10, 20), telling - at));
      }
    }
  }

  private static void life(Scenario scenario) {
    scenario
        .failure()
        .at(4)
        .failure()
        .at(13)
        .refused()
        .at(14)
        .granted()
        .at(33)
        .state(CircuitState.HALF_OPEN)
        .refused()
        .at(34)
        .state(CircuitState.OPEN)
        .at(43)
        .refused()
        .at(44)
        .granted()
        .at(46)
        .failure()
        .at(55)
        .refused()
        .at(56)
        .granted()
        .success()
        .state(CircuitState.CLOSED)
        .failure()
        .at(66)
        .granted()
        .at(86)
        .success()
        .state(CircuitState.OPEN)
        .at(95)
        .refused()
        .at(96)
        .granted();
  }

  /**
   * Uses cooldowns and leases too long for numbers of common widths, and looks at short ones that
   * late. On failure, look for a conversion to int or to a coarser unit.
   */
  @Check(value = Rule.BAD_2, needs = MANUAL_CLOCK)
  void longDurations(Bench bench) {
    for (long time : Bench.LONG_TIMES) {
      bench
          .scenario(new Config(1, time, time))
          .at(3)
          .failure()
          .at(3 + time - 1)
          .refused()
          .at(3 + time)
          .granted()
          .at(3 + 2 * time - 1)
          .state(CircuitState.HALF_OPEN)
          .refused()
          .at(3 + 2 * time)
          .state(CircuitState.OPEN)
          .at(3 + 3 * time - 1)
          .refused()
          .at(3 + 3 * time)
          .granted();
      for (long late : new long[] {time, time + time / 2}) {
        bench
            .scenario(new Config(1, 10, 10))
            .failure()
            .at(late)
            .available(true)
            .granted()
            .at(2 * late)
            .state(CircuitState.OPEN)
            .available(true)
            .granted()
            .success()
            .state(CircuitState.CLOSED);
      }
    }
  }

  /**
   * Uses cooldowns and leases of up to 292 years, which never end. On failure, look for a sum of a
   * time and a duration that overflows.
   */
  @Check(value = Rule.BAD_2, needs = MANUAL_CLOCK)
  void durationsForEver(Bench bench) {
    long years = Bench.seconds(3_600L * 24 * 365);
    for (long forEver : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, 290 * years}) {
      for (long start : new long[] {0, 5, -5, Long.MAX_VALUE}) {
        bench
            .scenario(new Config(1, forEver, 10), start)
            .failure()
            .at(1)
            .available(false)
            .refused()
            .at(100 * years)
            .available(false)
            .refused();
        bench
            .scenario(new Config(1, 10, forEver), start)
            .failure()
            .at(10)
            .granted()
            .at(100 * years)
            .state(CircuitState.HALF_OPEN)
            .available(false)
            .refused()
            .success()
            .state(CircuitState.CLOSED);
        bench
            .scenario(new Config(1, forEver, 10), start)
            .failure()
            .at(100 * years)
            .failure()
            .available(false)
            .state(CircuitState.OPEN);
      }
    }
  }

  /** Uses durations below a millisecond. On failure, look for rounding. */
  @Check(value = Rule.BAD_2, needs = MANUAL_CLOCK)
  void shortDurations(Bench bench) {
    bench
        .scenario(new Config(1, 999_999, 1))
        .failure()
        .at(999_998)
        .refused()
        .at(999_999)
        .granted()
        .refused()
        .at(1_000_000)
        .state(CircuitState.OPEN)
        .at(1_999_998)
        .refused()
        .at(1_999_999)
        .granted();
  }

  /**
   * Steps the clock back while the breaker is open and while a probe is out. On failure, look for a
   * negative elapsed time.
   */
  @Check(value = Rule.BAD_2, needs = MANUAL_CLOCK, fieldCase = "C15")
  void aClockThatStepsBack(Bench bench) {
    bench
        .scenario()
        .at(Bench.ms(100_000))
        .failures(3)
        .at(Bench.ms(40_000))
        .available(false)
        .refused()
        .counts(0, 3)
        .at(Bench.ms(129_999))
        .available(false)
        .at(Bench.ms(130_000))
        .available(true)
        .granted()
        .at(Bench.ms(100_000))
        .available(false)
        .refused()
        .success()
        .state(CircuitState.CLOSED);
  }

  /**
   * Lets the clock wrap during a cooldown, and plays cooldowns and leases that never end. On
   * failure, look for a sum that overflows.
   */
  @Check(value = Rule.BAD_2, needs = MANUAL_CLOCK, fieldCase = "C16")
  void wrapAndForEver(Bench bench) {
    bench
        .scenario(Config.DEFAULT, Long.MAX_VALUE - Bench.seconds(10))
        .failures(3)
        .at(29_999_999_999L)
        .available(false)
        .refused()
        .at(30_000_000_000L)
        .available(true)
        .granted()
        .at(59_999_999_999L)
        .state(CircuitState.HALF_OPEN)
        .at(60_000_000_000L)
        .state(CircuitState.OPEN)
        .available(false);
    bench
        .scenario(new Config(1, Long.MAX_VALUE, Bench.seconds(30)))
        .at(Bench.ms(1_000))
        .failure()
        .at(Bench.ms(1_001))
        .available(false)
        .at(1_000_000_000_000_000_000L)
        .available(false)
        .refused();
    bench
        .scenario(new Config(3, Bench.seconds(30), Long.MAX_VALUE))
        .failures(3)
        .at(Bench.seconds(30))
        .granted()
        .at(1_000_000_000_000_000_000L)
        .available(false)
        .success()
        .state(CircuitState.CLOSED);
  }
}

package dev.toolhealth.jmh.peers;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An implementation that the page compares.
 *
 * @param name its name
 * @param version its version
 * @param adapter its adapter
 * @param rules the rules that it is asked for
 * @param about what there is to know beforehand
 * @param differences in what it differs from the rules
 */
record Compared(
    String name,
    String version,
    Adapter adapter,
    Set<Rule> rules,
    String about,
    List<Difference> differences) {
  private static final Properties VERSIONS = properties("versions.properties");

  static List<Compared> all() {
    return List.of(reference(), resilience4jInTicks(), failsafe(), armeria(), pekko());
  }

  static Compared reference() {
    return new Compared(
        "Reference",
        version("reference"),
        new ReferenceAdapter(),
        EnumSet.allOf(Rule.class),
        "The implementation of this project, `dev.toolhealth.ToolHealthRegistry`.",
        List.of());
  }

  static Compared resilience4jInTicks() {
    Set<Rule> rules = library();
    rules.removeAll(Ticks.TOO_LARGE);
    return new Compared(
        "Resilience4j",
        version("resilience4j"),
        new Ticks(new Resilience4jAdapter()),
        rules,
        "It trips on a rate: here on all of as many calls as the threshold. It counts in whole"
            + " milliseconds, and at the very end of a wait it still refuses, so the kit's"
            + " nanoseconds are milliseconds here, and its wait is set one shorter. "
            + Ticks.TOO_LARGE.stream().sorted().map(Rule::id).collect(Collectors.joining(", "))
            + " are not asked: their times are too large for that. It can limit HALF_OPEN"
            + " (`maxWaitDurationInHalfOpenState`), by a timer on the system's clock. That is off"
            + " by default, and here, since it is the kit that sets the clock.",
        List.of(
            Difference.noLease(
                Rule.LEASE_2,
                Rule.LEASE_3,
                Rule.LEASE_5,
                Rule.STALE_3,
                Rule.BRK_6,
                Rule.BRK_8,
                Rule.BRK_12,
                Rule.ORACLE_2),
            Difference.lateFailuresAreIgnored(Rule.STALE_5),
            new Difference(
                "A wait of 0 is over a tick later, and not at once.",
                "With a recovery duration of 0 the first call after a failure is the probe.",
                List.of(Rule.BRK_11, Rule.LEASE_4))));
  }

  static Compared failsafe() {
    return new Compared(
        "Failsafe",
        version("failsafe"),
        new FailsafeAdapter(),
        library(),
        "It reads the system's clock, so it is judged on the real one. Nothing is made of the probe"
            + " timeout, since it has none.",
        List.of(
            Difference.noLease(
                Rule.LEASE_2, Rule.LEASE_3, Rule.LEASE_5, Rule.STALE_3, Rule.ORACLE_2),
            Difference.lateFailuresAreIgnored()));
  }

  static Compared armeria() {
    Set<Rule> late = library();
    late.removeAll(Set.of(Rule.BRK_3, Rule.SCORE_7, Rule.BRK_1, Rule.BRK_5));
    return new Compared(
        "Armeria",
        version("armeria"),
        new ArmeriaAdapter(),
        library(),
        "It trips on a failure rate over a window of time, here of 20 seconds. It is judged on the"
            + " real clock, and which other rules its difference shows at varies from run to run.",
        List.of(
            new Difference(
                "It looks at its rate once in a second, by default, and so trips up to a second"
                    + " after the failure that makes it do so. Most scripts are over by then.",
                "The failure that brings the run to the threshold trips the breaker itself: the next"
                    + " call is refused.",
                Difference.rules(Rule.BRK_3, late.toArray(Rule[]::new)))));
  }

  static Compared pekko() {
    return new Compared(
        "Pekko",
        version("pekko"),
        new PekkoAdapter(),
        library(),
        "It is judged on the real clock. Its timeout holds for every call and not for the probe"
            + " alone, and is left off.",
        List.of(
            Difference.noLease(
                Rule.LEASE_2, Rule.LEASE_3, Rule.LEASE_5, Rule.STALE_3, Rule.ORACLE_2),
            Difference.lateFailuresAreIgnored(),
            new Difference(
                "A timer ends the wait: the breaker is HALF_OPEN then, though nobody has asked, and"
                    + " a result from before the trip counts as the probe's.",
                "OPEN lasts until a call asks, and only that call is the probe. Until then a late"
                    + " success changes nothing.",
                List.of(Rule.BRK_7, Rule.BRK_11, Rule.STALE_1))));
  }

  Set<Capability> capabilities() {
    return Adapters.capabilities(adapter);
  }

  /** A departure as the page tells it, in the subject's unit of time. */
  ScriptInWords inWords(Departure departure) {
    ScriptInWords words = ScriptInWords.of(departure);
    return adapter instanceof Ticks ? words.inMillis() : words;
  }

  boolean onTheRealClock() {
    return !capabilities().contains(Capability.MANUAL_CLOCK);
  }

  /** Where calls taken in turn differ, a race differs from run to run in how it shows that. */
  static Set<Rule> library() {
    return EnumSet.complementOf(EnumSet.of(Rule.CONC_1, Rule.CONC_2, Rule.CONC_3));
  }

  private static String version(String key) {
    return requireNonNull(VERSIONS.getProperty(key), key);
  }

  static Properties properties(String resource) {
    try (InputStream in = resource(resource)) {
      Properties properties = new Properties();
      properties.load(in);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static InputStream resource(String name) {
    return requireNonNull(Compared.class.getResourceAsStream(name), name);
  }
}

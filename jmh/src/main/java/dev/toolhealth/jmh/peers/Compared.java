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
 * An implementation on the conformance page.
 *
 * @param name the name
 * @param version the version
 * @param adapter the adapter
 * @param rules the rules to test
 * @param about an introduction for the reader
 * @param differences the known differences from the rules
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
        "This project's implementation, `dev.toolhealth.ToolHealthRegistry`.",
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
        "Resilience4j trips on a failure rate over a window of calls. The adapter sets the window"
            + " to the threshold and the rate to 100 %.\n\n"
            + "Resilience4j counts in whole milliseconds and still refuses at the instant when its"
            + " wait ends. The adapter therefore turns the kit's nanoseconds into milliseconds and"
            + " sets a wait that is one millisecond shorter. The times of "
            + Ticks.TOO_LARGE.stream().sorted().map(Rule::id).collect(Collectors.joining(", "))
            + " are too large for this conversion, so these rules are not tested.\n\n"
            + "Resilience4j can limit HALF_OPEN with `maxWaitDurationInHalfOpenState`, which uses a"
            + " timer on the system clock. The limit is off by default. It stays off here, because"
            + " the kit sets the clock.",
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
                "A wait of 0 ends one tick later instead of at once.",
                "With a recovery duration of 0, the first call after a failure is the probe.",
                List.of(Rule.BRK_11, Rule.LEASE_4))));
  }

  static Compared failsafe() {
    return new Compared(
        "Failsafe",
        version("failsafe"),
        new FailsafeAdapter(),
        library(),
        "Failsafe reads the system clock, so the kit uses real time. Failsafe has no probe timeout,"
            + " so the adapter ignores that setting.",
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
        "Armeria trips on a failure rate over a time window, here 20 seconds. Armeria reads the"
            + " system clock, so the kit uses real time. The difference below affects many rules,"
            + " and the list varies from run to run.",
        List.of(
            new Difference(
                "Armeria checks the rate once per second by default, so the breaker trips up to a"
                    + " second after the decisive failure. Most scripts have ended by then.",
                "The failure that reaches the threshold trips the breaker at once: the next call is"
                    + " refused.",
                Difference.rules(Rule.BRK_3, late.toArray(Rule[]::new)))));
  }

  static Compared pekko() {
    return new Compared(
        "Pekko",
        version("pekko"),
        new PekkoAdapter(),
        library(),
        "Pekko reads the system clock, so the kit uses real time. Pekko's timeout applies to every"
            + " call and not only to the probe, so the adapter leaves it off.",
        List.of(
            Difference.noLease(
                Rule.LEASE_2, Rule.LEASE_3, Rule.LEASE_5, Rule.STALE_3, Rule.ORACLE_2),
            Difference.lateFailuresAreIgnored(),
            new Difference(
                "A timer ends the wait: the breaker becomes HALF_OPEN before any call asks the gate,"
                    + " and a result from before the trip counts as the probe's.",
                "The breaker stays OPEN until a call asks the gate, and only that call is the probe."
                    + " Until then, a late success changes nothing.",
                List.of(Rule.BRK_7, Rule.BRK_11, Rule.STALE_1))));
  }

  Set<Capability> capabilities() {
    return Adapters.capabilities(adapter);
  }

  /** Describes a departure in the subject's unit of time. */
  ScriptInWords inWords(Departure departure) {
    ScriptInWords words = ScriptInWords.of(departure);
    return adapter instanceof Ticks ? words.inMillis() : words;
  }

  boolean onTheRealClock() {
    return !capabilities().contains(Capability.MANUAL_CLOCK);
  }

  /** Returns all rules except CONC, where a library's differences vary from run to run. */
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

package dev.toolhealth.jmh.peers;

import static java.util.Objects.requireNonNull;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.spec.Rule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;

/**
 * An implementation that the page compares.
 *
 * @param name its name
 * @param version its version
 * @param mark tells it from another of the same name; may be empty
 * @param adapter its adapter
 * @param rules the rules that it is asked for
 * @param about what there is to know beforehand
 */
record Compared(
    String name, String version, String mark, Adapter adapter, Set<Rule> rules, String about) {
  private static final Properties VERSIONS = properties("versions.properties");

  static List<Compared> all() {
    return List.of(
        reference(), resilience4jInTicks(), resilience4j(), failsafe(), armeria(), pekko());
  }

  static Compared reference() {
    return new Compared(
        "Reference",
        version("reference"),
        "",
        new ReferenceAdapter(),
        EnumSet.allOf(Rule.class),
        "The implementation of this project, `dev.toolhealth.ToolHealthRegistry`.");
  }

  static Compared resilience4jInTicks() {
    Set<Rule> rules = library();
    rules.removeAll(Ticks.TOO_LARGE);
    return new Compared(
        "Resilience4j",
        version("resilience4j"),
        ", in ms",
        new Ticks(new Resilience4jAdapter()),
        rules,
        "Its breaker counts in whole milliseconds, and at the very end of a wait it still refuses."
            + " So that no more than this hides what else there is, a nanosecond of these scripts"
            + " is a millisecond to it, and its wait is set a millisecond shorter. It trips on a"
            + " rate: here on all of as many calls as the threshold. "
            + Ticks.TOO_LARGE.stream()
                .sorted()
                .map(Rule::id)
                .toList()
                .toString()
                .replaceAll("[\\[\\]]", "")
            + " are not asked, since their times are too large for that.");
  }

  static Compared resilience4j() {
    return new Compared(
        "Resilience4j",
        version("resilience4j"),
        ", in ns",
        new Resilience4jAdapter(),
        library(),
        "The same breaker, with the kit's nanoseconds as they are, its wait rounded up to a"
            + " millisecond: nearly all scripts go to the very end of a wait, and there it still"
            + " refuses.");
  }

  static Compared failsafe() {
    return new Compared(
        "Failsafe",
        version("failsafe"),
        "",
        new FailsafeAdapter(),
        library(),
        "It reads the system's clock, so it is judged on the real one. It has no probe timeout.");
  }

  static Compared armeria() {
    return new Compared(
        "Armeria",
        version("armeria"),
        "",
        new ArmeriaAdapter(),
        library(),
        "It knows no runs of failures: it trips on a failure rate over a window of time, here of 20"
            + " seconds, and looks at that rate once in a second, as it does by default. Most"
            + " scripts are over by then, and find it CLOSED: nearly all that follows shows only"
            + " that. It is judged on the real clock, and other runs may show more.");
  }

  static Compared pekko() {
    return new Compared(
        "Pekko",
        version("pekko"),
        "",
        new PekkoAdapter(),
        library(),
        "A timer ends its cooldown, and not a call, so it is judged on the real clock. Its timeout"
            + " holds for every call and not for the probe alone, and is left off.");
  }

  Set<Capability> capabilities() {
    return Adapters.capabilities(adapter);
  }

  boolean onTheRealClock() {
    return !capabilities().contains(Capability.MANUAL_CLOCK);
  }

  /** Where calls taken in turn differ, a race differs from run to run in how it shows that. */
  private static Set<Rule> library() {
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

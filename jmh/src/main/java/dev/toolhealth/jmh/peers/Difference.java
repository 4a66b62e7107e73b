package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.spec.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A difference between a library's contract and the rules.
 *
 * @param fact the library's behaviour
 * @param consequence the change for a user who switches to an implementation of the rules
 * @param rules the affected rules; the first rule has the clearest script
 */
record Difference(String fact, String consequence, List<Rule> rules) {
  static Difference noLease(Rule... others) {
    return new Difference(
        "A probe has no time limit: the breaker stays HALF_OPEN and refuses all other calls until"
            + " the probe reports.",
        "A probe that does not report within the probe timeout has failed. The next probe is"
            + " granted after one more recovery duration, and a late success does not close the"
            + " breaker.",
        rules(Rule.LEASE_1, others));
  }

  static Difference lateFailuresAreIgnored(Rule... others) {
    return new Difference(
        "A failure that arrives while the breaker is OPEN changes nothing.",
        "A late failure restarts the recovery duration, so calls that fail late keep the tool"
            + " blocked for longer.",
        rules(Rule.STALE_2, others));
  }

  static List<Rule> rules(Rule first, Rule... others) {
    return Stream.concat(Stream.of(first), Arrays.stream(others)).toList();
  }
}

package dev.toolhealth.jmh.peers;

import dev.toolhealth.tck.spec.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * In what a library's contract differs from the rules, and all the rules at which that shows.
 *
 * @param fact what the library does
 * @param consequence what changes for somebody who moves from it to an implementation of the rules
 * @param rules the rules that it departs from therefore; the first has the script that says most
 */
record Difference(String fact, String consequence, List<Rule> rules) {
  static Difference noLease(Rule... others) {
    return new Difference(
        "A probe has no time limit of its own: the breaker stays HALF_OPEN, and refuses all other"
            + " calls, until the probe's result comes.",
        "A probe that has not come back within the probe timeout has failed: another is let through"
            + " after one more recovery duration, and a late success does not close the breaker.",
        rules(Rule.LEASE_1, others));
  }

  static Difference lateFailuresAreIgnored(Rule... others) {
    return new Difference(
        "A failure that comes while the breaker is OPEN changes nothing.",
        "Such a failure restarts the recovery duration, so that calls which fail late keep the tool"
            + " blocked for longer.",
        rules(Rule.STALE_2, others));
  }

  static List<Rule> rules(Rule first, Rule... others) {
    return Stream.concat(Stream.of(first), Arrays.stream(others)).toList();
  }
}

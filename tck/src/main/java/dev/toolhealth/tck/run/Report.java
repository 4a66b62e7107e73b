package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.spec.Rule;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that there is to say about a run.
 *
 * @param subject what was judged, as the user named it
 * @param repetition how to judge it again
 * @param capabilities what it claims to offer
 * @param results what came of each rule that was asked for
 * @param journal what was done, and how long it took
 * @param circumstances where and when
 */
record Report(
    String subject,
    Repetition repetition,
    Set<Capability> capabilities,
    List<RuleResult> results,
    Journal journal,
    Circumstances circumstances) {

  /**
   * Where and when a subject was judged.
   *
   * @param kit the kit's name and version
   * @param java the Java that it ran on
   * @param date when
   */
  record Circumstances(String kit, String java, Instant date) {}

  boolean conforms() {
    return results.stream().allMatch(result -> result.outcome().conforms());
  }

  /** Whether all rules were asked for. */
  boolean isWhole() {
    return results.size() == Rule.values().length;
  }

  /** The one line that says it all. */
  String verdict() {
    return "%s %s (%s)".formatted(subject, conforms() ? "conforms" : "does not conform", scope());
  }

  private String scope() {
    if (isWhole()) {
      return "claims: " + Adapters.words(capabilities);
    }
    String rules =
        results.stream().map(result -> result.rule().id()).collect(Collectors.joining(", "));
    return "only %s %s checked".formatted(rules, results.size() == 1 ? "was" : "were");
  }

  /** That a rule which is passed might yet have failed, if not all was played; or empty. */
  String provisional() {
    int wrong = journal.stoppedAfter();
    return wrong == 0
        ? ""
        : "No more was played once %d scripts had gone wrong: what is passed is so provisionally."
            .formatted(wrong);
  }

  /** The failed rules, with what tells most about the fault first. */
  List<RuleResult> failed() {
    return results.stream()
        .filter(result -> !result.departures().isEmpty())
        .sorted(Comparator.comparing(RuleResult::first, Departure.MOST_TELLING_FIRST))
        .toList();
  }

  long count(Outcome outcome) {
    return results.stream().filter(result -> result.outcome() == outcome).count();
  }
}

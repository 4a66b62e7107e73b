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
 * The complete result of a run.
 *
 * @param subject the name of the subject, as given by the user
 * @param repetition the command that repeats the run
 * @param capabilities the capabilities that the subject claims
 * @param results the result of each selected rule
 * @param journal the parts of the run and the time taken by each
 * @param circumstances the versions and the date
 */
record Report(
    String subject,
    Repetition repetition,
    Set<Capability> capabilities,
    List<RuleResult> results,
    Journal journal,
    Circumstances circumstances) {

  /**
   * The versions and the date of a run.
   *
   * @param kit the name and version of the kit
   * @param java the version and name of the JVM
   * @param date the date and time of the run
   */
  record Circumstances(String kit, String java, Instant date) {}

  boolean conforms() {
    return results.stream().allMatch(result -> result.outcome().conforms());
  }

  /** Returns whether all rules were selected. */
  boolean isWhole() {
    return results.size() == Rule.values().length;
  }

  /** Returns the verdict in one line. */
  String verdict() {
    return "%s %s (%s)".formatted(subject, conforms() ? "conforms" : "does not conform", scope());
  }

  private String scope() {
    if (isWhole()) {
      return "claims: " + Adapters.words(capabilities);
    }
    String rules =
        results.stream().map(result -> result.rule().id()).collect(Collectors.joining(", "));
    return "checked only %s".formatted(rules);
  }

  /** Returns a warning if the kit stopped early, so that passed rules might have failed; or "". */
  String provisional() {
    int wrong = journal.stoppedAfter();
    return wrong == 0
        ? ""
        : "The kit stopped after %d failed scripts, so rules that passed might still fail."
            .formatted(wrong);
  }

  /** Returns the failed rules, the most telling first. */
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

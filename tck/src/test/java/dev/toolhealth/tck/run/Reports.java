package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.locking.Fault;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Finding;
import dev.toolhealth.tck.script.Story;
import dev.toolhealth.tck.spec.Rule;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Reports for the tests of their formats, some of them with hostile texts. */
final class Reports {
  /** A text that breaks documents: markup, ends of sections, characters illegal in XML. */
  static final String HOSTILE =
      "<script>alert(1)</script> ]]> --> & \" ' {{kit}} \u0000\u0007\u001b[31m \ud800 \udc00\ufffe"
          + "\u202e\u2028";

  /** The remark on a rule that is not applicable. */
  static final String NEEDS = "needs lock free";

  /** The escaped form of the illegal characters in {@link #HOSTILE}. */
  static final String WRITTEN_OUT =
      "\\u0000\\u0007\\u001b[31m \\ud800 \\udc00\\ufffe\\u202e\\u2028";

  private Reports() {}

  /** Returns the adapter of the first faulty implementation of a rule. */
  static Adapter breaking(Rule rule) {
    return Faults.all().stream()
        .filter(fault -> fault.rule() == rule)
        .map(Fault::adapter)
        .findFirst()
        .orElseThrow();
  }

  /** Judges a subject by some rules. In the report every part takes 1.5 seconds. */
  static Report judged(String subject, Adapter adapter, Set<Rule> rules) {
    Certification certification = new Certification(adapter, 1, 60, false);
    Journal journal = journal();
    List<RuleResult> results = certification.run(rules, journal);
    journal.close();
    return report(subject, certification.capabilities(), results, journal);
  }

  /** Returns a report with every outcome, in which all texts from the subject are hostile. */
  static Report hostile() {
    Story.Breaker breaker = new Story.Breaker(HOSTILE, CircuitState.OPEN, "");
    List<Story.Breaker> two = List.of(breaker, breaker);
    Story.Event event = new Story.Event("recordFailure(" + HOSTILE, HOSTILE, false, "0 ns", two);
    Story story = new Story.Played("with " + HOSTILE, two, List.of(event, event));
    List<RuleResult> results =
        List.of(
            new RuleResult(Rule.BRK_1, Outcome.PASSED, 12_345, List.of(), ""),
            broken(Rule.BRK_2, story, Finding.comparison(HOSTILE, HOSTILE, HOSTILE)),
            broken(Rule.CONC_1, new Story.Told(HOSTILE), Finding.sentence(HOSTILE)),
            new RuleResult(Rule.REG_6, Outcome.NOT_APPLICABLE, 0, List.of(), NEEDS),
            new RuleResult(Rule.LEASE_1, Outcome.NOT_TESTABLE, 0, List.of(), HOSTILE));
    return report(HOSTILE, EnumSet.of(Capability.ORACLE), results, journal());
  }

  /** Returns a report on one failed rule. */
  static Report failed(Rule rule, Story story, Finding finding) {
    return report("S", Set.of(), List.of(broken(rule, story, finding)), journal());
  }

  /** Returns a report on the failed rules of some departures. */
  static Report failed(Departure... departures) {
    return report(
        "S",
        Set.of(),
        Arrays.stream(departures)
            .map(d -> new RuleResult(d.rule(), Outcome.FAILED, 1, List.of(d), ""))
            .toList(),
        journal());
  }

  private static RuleResult broken(Rule rule, Story story, Finding finding) {
    Departure departure = new Departure(rule, story, finding, Departure.Evidence.CAUSE);
    return new RuleResult(rule, Outcome.FAILED, 1, List.of(departure), "");
  }

  private static Report report(
      String subject, Set<Capability> capabilities, List<RuleResult> results, Journal journal) {
    return new Report(
        subject,
        new Repetition(
            List.of("kit", "--subject", subject),
            1,
            capabilities.contains(Capability.MANUAL_CLOCK)),
        capabilities,
        results,
        journal,
        new Report.Circumstances("kit 1.2", "21", Instant.parse("2026-03-04T05:06:07Z")));
  }

  private static Journal journal() {
    long[] time = {0};
    return new Journal(() -> time[0] += 1_500_000_000, account -> {});
  }
}

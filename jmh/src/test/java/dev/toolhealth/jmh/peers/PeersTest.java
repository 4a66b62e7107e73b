package dev.toolhealth.jmh.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.run.Certification;
import dev.toolhealth.tck.run.Outcome;
import dev.toolhealth.tck.run.RuleResult;
import dev.toolhealth.tck.spec.Rule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Pins what the kit finds, so that a change is seen. A rule that fails is a fact about a library
 * that was made for other rules. Rules whose checks are mostly races are left out.
 */
class PeersTest {
  private static final Set<Rule> RACES =
      EnumSet.of(Rule.BRK_8, Rule.REG_6, Rule.CONC_1, Rule.CONC_2, Rule.CONC_3);

  /** In nanoseconds it shows one thing over and over, so the page does not have it. */
  private static final Compared RESILIENCE4J =
      new Compared(
          "Resilience4j", "", new Resilience4jAdapter(), Compared.library(), "", List.of());

  /**
   * At the instant when its cooldown has elapsed, Resilience4j still refuses: all that fails here
   * needs a call to be let through then. Waiting for whole milliseconds has the same effect.
   */
  @Test
  void resilience4jIsOpenAtTheEndOfTheCooldown() {
    Verdict verdict = Verdict.of(RESILIENCE4J);
    assertThat(verdict.passed).containsExactly("SCORE-7", "BRK-1", "BRK-4", "BRK-5", "BAD-1");
    assertThat(String.join(" ", verdict.failed))
        .isEqualTo(
            "BRK-3 BRK-6 BRK-7 BRK-9 BRK-10 BRK-11 BRK-12 LEASE-1 LEASE-2 LEASE-3 LEASE-4 LEASE-5"
                + " STALE-1 STALE-2 STALE-3 STALE-4 STALE-5 ORACLE-2 REG-1 REG-2 BAD-2");
  }

  /**
   * What is left of that in {@link Ticks}. It has no lease (LEASE, STALE-3, and the parts of BRK-6,
   * BRK-12 and ORACLE-2 that wait for the end of one), ignores failures in OPEN (STALE-2, STALE-5),
   * and even a wait of 0 has to be over (BRK-11, LEASE-4).
   */
  @Test
  void resilience4jHasNoLeaseAndIgnoresFailuresWhileOpen() {
    Verdict verdict = Verdict.of(Compared.resilience4jInTicks());
    assertThat(String.join(" ", verdict.passed))
        .isEqualTo("SCORE-7 BRK-1 BRK-3 BRK-4 BRK-5 BRK-9 BRK-10 STALE-1 STALE-4 REG-1 REG-2");
    assertThat(String.join(" ", verdict.failed))
        .isEqualTo(
            "BRK-6 BRK-11 BRK-12 LEASE-1 LEASE-2 LEASE-3 LEASE-4 LEASE-5"
                + " STALE-2 STALE-3 STALE-5 ORACLE-2");
    verdict.isToldOnThePage();
  }

  /**
   * It has no lease (LEASE, STALE-3, and the part of ORACLE-2 that waits for the end of one), and
   * ignores failures in OPEN.
   */
  @Test
  void failsafeHasNoLeaseAndIgnoresFailuresWhileOpen() {
    Verdict verdict = Verdict.of(Compared.failsafe());
    assertThat(String.join(" ", verdict.passed))
        .isEqualTo(
            "SCORE-7 BRK-1 BRK-3 BRK-4 BRK-5 BRK-6 BRK-7 BRK-9 BRK-10 BRK-11 BRK-12"
                + " LEASE-4 STALE-1 STALE-4 STALE-5 REG-1 REG-2 BAD-1 BAD-2");
    assertThat(String.join(" ", verdict.failed))
        .isEqualTo("LEASE-1 LEASE-2 LEASE-3 LEASE-5 STALE-2 STALE-3 ORACLE-2");
    verdict.isOnThePage();
  }

  /**
   * It looks at its rates once in a second, so no failure trips it at once. What else is found
   * hangs on whether that second passes meanwhile.
   */
  @Test
  void armeriaDoesNotTripAtOnce() {
    Verdict verdict = Verdict.of(Compared.armeria());
    assertThat(verdict.passed).contains("SCORE-7", "BRK-1", "BRK-5");
    assertThat(verdict.failed).contains("BRK-3", "BRK-4", "REG-1", "REG-2", "BAD-1");
    assertThat(PublishedPage.departures(Compared.armeria(), RACES))
        .contains("BRK-3", "BRK-4", "REG-1", "REG-2", "BAD-1");
  }

  /**
   * As Failsafe; and its timer makes it HALF_OPEN when nobody has asked (BRK-7, BRK-11), so that a
   * success from before the trip closes it then (STALE-1).
   */
  @Test
  void pekkoBecomesHalfOpenByItself() {
    Verdict verdict = Verdict.of(Compared.pekko());
    assertThat(String.join(" ", verdict.passed))
        .isEqualTo(
            "SCORE-7 BRK-1 BRK-3 BRK-4 BRK-5 BRK-6 BRK-9 BRK-10 BRK-12"
                + " LEASE-4 STALE-4 STALE-5 REG-1 REG-2 BAD-1 BAD-2");
    assertThat(String.join(" ", verdict.failed))
        .isEqualTo("BRK-7 BRK-11 LEASE-1 LEASE-2 LEASE-3 LEASE-5 STALE-1 STALE-2 STALE-3 ORACLE-2");
    verdict.isOnThePage();
  }

  private record Verdict(Judgement judgement, List<String> passed, List<String> failed) {
    static Verdict of(Compared subject) {
      Set<Rule> rules = EnumSet.copyOf(subject.rules());
      rules.removeAll(RACES);
      List<RuleResult> results =
          new Certification(subject.adapter(), Certification.DEFAULT_SEED)
              .run(rules, account -> {});
      return new Verdict(
          new Judgement(subject, List.of(results)),
          with(Outcome.PASSED, results),
          with(Outcome.FAILED, results));
    }

    private static List<String> with(Outcome outcome, List<RuleResult> results) {
      return results.stream()
          .filter(result -> result.outcome() == outcome)
          .map(result -> result.rule().id())
          .toList();
    }

    /** The page was made when the library had this version and departed from these rules. */
    void isOnThePage() {
      assertThat(PublishedPage.departures(judgement.subject(), RACES))
          .containsExactlyInAnyOrderElementsOf(failed);
    }

    /** Where the clock can be set, the scripts are always the same. */
    void isToldOnThePage() {
      isOnThePage();
      String section = PublishedPage.section(judgement.subject());
      assertThat(ConformancePage.differences(judgement))
          .isNotEmpty()
          .allSatisfy(
              difference ->
                  assertThat(section)
                      .contains(
                          "**%s** - Script: %s - Then %s. - After"
                              .formatted(
                                  difference.fact(), difference.script(), difference.finding())));
    }
  }
}

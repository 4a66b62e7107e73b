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
 * Pins the kit's findings about the libraries, so a change is noticed. A failed rule is a fact
 * about a library with a different contract. The test leaves out rules with mostly races.
 */
class PeersTest {
  private static final Set<Rule> RACES =
      EnumSet.of(Rule.BRK_8, Rule.REG_6, Rule.CONC_1, Rule.CONC_2, Rule.CONC_3);

  /** The page omits this adapter, because in nanoseconds one difference hides all others. */
  private static final Compared RESILIENCE4J =
      new Compared(
          "Resilience4j", "", new Resilience4jAdapter(), Compared.library(), "", List.of());

  /**
   * Resilience4j still refuses at the instant when its cooldown elapses, and it waits for whole
   * milliseconds. Every rule that fails here needs a call to be granted at that instant.
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
   * The differences that remain in {@link Ticks}. Resilience4j has no lease (LEASE, STALE-3, and
   * the parts of BRK-6, BRK-12 and ORACLE-2 that wait for a lease to end), ignores failures in OPEN
   * (STALE-2, STALE-5), and ends even a wait of 0 one tick late (BRK-11, LEASE-4).
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
   * Failsafe has no lease (LEASE, STALE-3, and the part of ORACLE-2 that waits for a lease to end)
   * and ignores failures in OPEN (STALE-2).
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
   * Armeria checks its failure rate once per second, so no failure trips the breaker at once. The
   * other findings depend on whether that second passes during a script.
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
   * Pekko differs like Failsafe. In addition, its timer makes the breaker HALF_OPEN before any call
   * asks the gate (BRK-7, BRK-11), so a success from before the trip then closes it (STALE-1).
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

    /** Checks that the page lists the same departures for this version. */
    void isOnThePage() {
      assertThat(PublishedPage.departures(judgement.subject(), RACES))
          .containsExactlyInAnyOrderElementsOf(failed);
    }

    /** Checks the scripts as well, which are always the same on a manual clock. */
    void isToldOnThePage() {
      isOnThePage();
      String section = PublishedPage.section(judgement.subject());
      assertThat(ConformancePage.differences(judgement))
          .isNotEmpty()
          .allSatisfy(
              difference ->
                  assertThat(section)
                      .contains(
                          "**%s** - Script: %s - Result: %s. - After"
                              .formatted(
                                  difference.fact(), difference.script(), difference.finding())));
    }
  }
}

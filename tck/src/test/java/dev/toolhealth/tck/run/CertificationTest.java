package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.spec.Rule;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CertificationTest {

  /** Certifies the model, which must agree with the hand-written expectations of the checks. */
  @Test
  void theModelKeepsEveryRule() {
    List<RuleResult> results = certify(new ModelAdapter());
    assertThat(results).filteredOn(r -> r.outcome() == Outcome.FAILED).isEmpty();
    assertThat(outcomes(results, Outcome.PASSED)).isEqualTo(allBut(Rule.REG_6, Rule.CONC_3));
  }

  /** No check fails a subject whose clock stands still while the kit's clock steps back. */
  @Test
  void aSubjectWhoseTimeNeverFallsIsNotAccused() {
    Set<Capability> capabilities = new LockingAdapter().capabilities();
    List<RuleResult> results = certify(onClock(capabilities, CertificationTest::neverFalling));
    assertThat(results).filteredOn(r -> r.outcome() == Outcome.FAILED).isEmpty();
  }

  private static LongSupplier neverFalling(LongSupplier clock) {
    AtomicLong latest = new AtomicLong(clock.getAsLong());
    return () ->
        latest.accumulateAndGet(clock.getAsLong(), (last, now) -> now - last > 0 ? now : last);
  }

  @Test
  void everyRuleHasAResultAndAnswersBehindIt() {
    List<RuleResult> results = certify(new LockingAdapter());
    assertThat(results).extracting(RuleResult::rule).containsExactly(Rule.values());
    assertThat(results)
        .filteredOn(r -> r.outcome() == Outcome.PASSED)
        .hasSize(53)
        .allMatch(r -> r.cases() > 0);
  }

  @Test
  void everyRuleHasACheckOfItsOwn() {
    List<RuleCheck> checks = RuleCheck.all();
    assertThat(checks).extracting(RuleCheck::rule).contains(Rule.values());
    assertThat(checks).hasSize(173);
    assertThat(checks).extracting(RuleCheck::id).doesNotHaveDuplicates();
  }

  /** Without a capability no rule fails, and no rule that needs the capability passes. */
  @ParameterizedTest
  @EnumSource
  void whatIsNotClaimedIsNotHeldAgainstTheSubject(Capability missing) {
    Set<Capability> capabilities = new LockingAdapter().capabilities();
    capabilities.remove(missing);
    Set<Rule> concerned = EnumSet.noneOf(Rule.class);
    RuleCheck.all().stream()
        .filter(check -> check.needs().contains(missing))
        .forEach(check -> concerned.add(check.rule()));
    List<RuleResult> results =
        new Certification(claiming(capabilities), Certification.DEFAULT_SEED, 100).run(concerned);
    assertThat(results).filteredOn(r -> r.outcome() == Outcome.FAILED).isEmpty();
    for (Rule rule : concerned) {
      boolean onlySo =
          RuleCheck.all().stream()
              .filter(check -> check.rule() == rule)
              .filter(check -> missing == Capability.MANUAL_CLOCK || !check.onTheWallClock())
              .allMatch(check -> check.needs().contains(missing));
      if (onlySo) {
        assertThat(outcomes(results, Outcome.PASSED)).doesNotContain(rule);
      }
    }
  }

  /** The gate alone is enough to test most rules about time. */
  @Test
  void withoutAnyCapabilityTheGateIsJudgedOnTheRealClock() {
    List<RuleResult> results = certify(claiming(EnumSet.noneOf(Capability.class)));
    assertThat(outcomes(results, Outcome.PASSED))
        .isEqualTo(
            EnumSet.of(
                Rule.SCORE_7,
                Rule.BRK_1,
                Rule.BRK_3,
                Rule.BRK_4,
                Rule.BRK_5,
                Rule.BRK_6,
                Rule.BRK_7,
                Rule.BRK_8,
                Rule.BRK_9,
                Rule.BRK_10,
                Rule.BRK_11,
                Rule.BRK_12,
                Rule.LEASE_1,
                Rule.LEASE_2,
                Rule.LEASE_3,
                Rule.LEASE_4,
                Rule.STALE_1,
                Rule.STALE_2,
                Rule.STALE_3,
                Rule.STALE_4,
                Rule.STALE_5,
                Rule.ORACLE_2,
                Rule.REG_1,
                Rule.BAD_1,
                Rule.BAD_2,
                Rule.CONC_1));
    assertThat(results)
        .filteredOn(result -> result.outcome() != Outcome.PASSED)
        .allMatch(result -> result.outcome() == Outcome.NOT_APPLICABLE);
  }

  @Test
  void theSameSeedGivesTheSameAccount() {
    List<RuleResult> first = new Certification(new LockingAdapter(), 7).run(EnumSet.of(Rule.BRK_6));
    List<RuleResult> second =
        new Certification(new LockingAdapter(), 7).run(EnumSet.of(Rule.BRK_6));
    assertThat(second).isEqualTo(first);
  }

  private static List<RuleResult> certify(Adapter adapter) {
    return new Certification(adapter, Certification.DEFAULT_SEED).run();
  }

  private static Set<Rule> outcomes(List<RuleResult> results, Outcome outcome) {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    results.stream().filter(r -> r.outcome() == outcome).forEach(r -> rules.add(r.rule()));
    return rules;
  }

  private static Set<Rule> allBut(Rule... rules) {
    return EnumSet.complementOf(EnumSet.copyOf(Arrays.asList(rules)));
  }

  private static Adapter claiming(Set<Capability> capabilities) {
    return onClock(capabilities, given -> given);
  }

  private static Adapter onClock(Set<Capability> capabilities, UnaryOperator<LongSupplier> clock) {
    return new Adapter() {
      @Override
      public Set<Capability> capabilities() {
        return capabilities;
      }

      @Override
      public Subject create(Config config, LongSupplier nanoClock) {
        return new LockingAdapter().create(config, clock.apply(nanoClock));
      }
    };
  }
}

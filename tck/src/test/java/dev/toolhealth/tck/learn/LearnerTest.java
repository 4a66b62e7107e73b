package dev.toolhealth.tck.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LockingAdapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearnerTest {
  private static final Config SMALL = new Config(2, 2, 1);

  /**
   * CLOSED has as many states as the threshold. OPEN has one more than the cooldown has ticks.
   * HALF_OPEN has as many as the lease has ticks, or one without a lease. With threshold 0 CLOSED
   * is the only state.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 2, 1, 6",
    "1, 2, 1, 5",
    "2, 2, 3, 8",
    "3, 4, 0, 9",
    "0, 2, 1, 1",
    "1, 0, 0, 3",
  })
  void correctSubjectsAreTheMachineOfTheSpecification(
      int threshold, long recovery, long probeTimeout, int states) {
    Config config = new Config(threshold, recovery, probeTimeout);
    for (Adapter correct : List.of(new ReferenceAdapter(), new LockingAdapter())) {
      Findings findings = new Learner(correct, config).learn();
      assertThat(findings.same()).isTrue();
      assertThat(findings.learned().size()).isEqualTo(states);
      assertThat(Diagram.of(findings.learned())).isEqualTo(Diagram.of(findings.specification()));
    }
  }

  /** Without reads and oracle, the answers of the gate are enough to distinguish the states. */
  @Test
  void whatCannotBeAskedIsNotMissed() {
    Findings findings = new Learner(claiming(Capability.MANUAL_CLOCK), SMALL).learn();
    assertThat(findings.same()).isTrue();
    assertThat(findings.learned().size()).isEqualTo(6);
    assertThat(Diagram.of(findings.learned()))
        .contains("s0([\"grants a call\"])", "s2([\"refuses\"])", "s3([\"refuses, 1 tick\"])");
  }

  @Test
  void tellsTheShortestSequenceThatShowsAFault() {
    Findings findings = learn("A success while OPEN closes the breaker");
    assertThat(findings.difference())
        .containsExactly(
            "with threshold 2, recovery 2 ns, probe timeout 1 ns",
            "1-2. recordFailure(\"a\", 1 ns)",
            "  3. recordSuccess(\"a\", 1 ns)",
            "then isToolAvailable(\"a\"): expected false, saw true");
    assertThat(Diagram.of(findings.learned())).contains("s2 -- \"success\" --> s0");
    assertThat(Diagram.of(findings.specification())).doesNotContain("s2 -- \"success\" --> s0");
  }

  /** States unknown to the model get names as well. */
  @Test
  void findsHiddenStates() {
    Findings findings =
        learn("The probe's success does not close the breaker right after two refused calls");
    assertThat(findings.learned().size()).isEqualTo(8);
    assertThat(Diagram.of(findings.learned()))
        .contains("[\"HALF_OPEN, 1 gate call\"]", "[\"HALF_OPEN, 2 gate calls\"]");
  }

  /** The first answer differs before any input. */
  @Test
  void beginsBeforeTheFirstInput() {
    assertThat(learn("A new breaker starts OPEN").difference())
        .containsExactly(
            "with threshold 2, recovery 2 ns, probe timeout 1 ns",
            "then isToolAvailable(\"a\"): expected true, saw false");
  }

  @Test
  void givesUpOnWhatCounts() {
    Adapter counting =
        Faults.of("Every failed probe makes later cooldowns one nanosecond longer").adapter();
    assertThatExceptionOfType(Unlearnable.class)
        .isThrownBy(() -> new Learner(counting, SMALL).learn())
        .withMessageContainingAll(
            "more than 30 states beyond those of the specification",
            "with threshold 2, recovery 2 ns, probe timeout 1 ns",
            "expected true, saw false");
  }

  @Test
  void givesUpOnWhatIsNotAlwaysTheSame() {
    AtomicInteger created = new AtomicInteger();
    Adapter moody =
        new LockingAdapter() {
          @Override
          public Subject create(Config config, LongSupplier nanoClock) {
            int threshold = created.incrementAndGet() % 2 + 1;
            return super.create(new Config(threshold, 2, 1), nanoClock);
          }
        };
    assertThatExceptionOfType(Unlearnable.class)
        .isThrownBy(() -> new Learner(moody, SMALL).learn())
        .withMessageContainingAll("The subject is not deterministic", "recordFailure");
  }

  @Test
  void givesUpOnWhatRefusesTheConfiguration() {
    Adapter choosy =
        new LockingAdapter() {
          @Override
          public Subject create(Config config, LongSupplier nanoClock) {
            throw new IllegalArgumentException("too small");
          }
        };
    assertThatExceptionOfType(Unlearnable.class)
        .isThrownBy(() -> new Learner(choosy, SMALL).learn())
        .withMessageContainingAll("The subject refuses the configuration", "too small");
  }

  /** The diagram escapes characters with a meaning in Mermaid: quotes, tags and the like. */
  @Test
  void whatIsThrownIsDrawn() {
    Adapter throwing =
        new LockingAdapter() {
          @Override
          public Set<Capability> capabilities() {
            return EnumSet.of(Capability.MANUAL_CLOCK);
          }

          @Override
          public Subject create(Config config, LongSupplier nanoClock) {
            return new Refusing();
          }
        };
    Findings findings = new Learner(throwing, SMALL).learn();
    assertThat(findings.learned().size()).isEqualTo(1);
    assertThat(Diagram.of(findings.learned()))
        .contains("no #quot;gate#quot; #35;1 #lt;here#gt;")
        .doesNotContain("\"gate\"");
  }

  /** A subject with a gate that throws. */
  private static final class Refusing implements Subject {
    @Override
    public boolean allowRequest(String tool) {
      throw new IllegalStateException("no \"gate\" #1 <here>");
    }

    @Override
    public void recordSuccess(String tool, long nanos) {}

    @Override
    public void recordFailure(String tool, long nanos) {}
  }

  private static Findings learn(String fault) {
    return new Learner(Faults.of(fault).adapter(), SMALL).learn();
  }

  private static Adapter claiming(Capability... capabilities) {
    return new LockingAdapter() {
      @Override
      public Set<Capability> capabilities() {
        return Set.of(capabilities);
      }
    };
  }
}

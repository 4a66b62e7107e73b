package dev.toolhealth.tck.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.rules.RuleCheck;
import dev.toolhealth.tck.run.Certification;
import dev.toolhealth.tck.script.Examination;
import dev.toolhealth.tck.script.Exhaustive;
import dev.toolhealth.tck.script.Exploration;
import dev.toolhealth.tck.script.WMethod;
import dev.toolhealth.tck.script.Waits;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * {@link ReferenceTckTest} with one test per check, for mutation testing (profile {@code
 * mutation}): PIT runs only the tests that reach a mutated line, and the fastest of them first.
 */
class ReferenceCheckByCheck {
  private static final Adapter REFERENCE = new ReferenceAdapter();
  private static final int SCRIPTS = 3_000;

  @TestFactory
  Stream<DynamicTest> checks() {
    return RuleCheck.all().stream()
        .filter(check -> !check.onTheWallClock())
        .map(check -> DynamicTest.dynamicTest(check.id(), () -> verify(check)));
  }

  private static void verify(RuleCheck check) {
    assertThat(check.run(REFERENCE, Waits.DEFAULT).departures()).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> scripts() {
    return Stream.of(
        scripts("random", e -> Exploration.play(e, Certification.DEFAULT_SEED, SCRIPTS)),
        scripts("exhaustive", Exhaustive::play),
        scripts("W-method", WMethod::play));
  }

  private static DynamicTest scripts(String name, Consumer<Examination> layer) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          Examination examination = new Examination(REFERENCE);
          layer.accept(examination);
          assertThat(examination.departures()).isEmpty();
        });
  }
}

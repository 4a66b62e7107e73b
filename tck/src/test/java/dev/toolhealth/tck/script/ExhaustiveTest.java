package dev.toolhealth.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.reference.ReferenceAdapter;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ExhaustiveTest {
  private static final String FAULT =
      "A success 1 ns before the cooldown's end closes after two refusals around a failure";

  /** The sequence is too long for random scripts and not among those of the W-method. */
  @Test
  void findsWhatTheOtherLayersMiss() {
    Adapter faulty = Faults.of(FAULT).adapter();
    assertThat(departures(faulty, examination -> Exploration.play(examination, 1, 3_000)))
        .isEmpty();
    assertThat(departures(faulty, WMethod::play)).isEmpty();
    assertThat(departures(faulty, Exhaustive::play))
        .isNotEmpty()
        .allSatisfy(departure -> assertThat(departure.rule()).isEqualTo(Rule.STALE_1))
        .first()
        .satisfies(
            departure ->
                assertThat(departure)
                    .hasMessageContainingAll(
                        "1. recordFailure",
                        "2. allowRequest",
                        "3. recordFailure",
                        "4. allowRequest",
                        "5. clock moves to 9 ns (+9 ns)",
                        "6. recordSuccess",
                        "isToolAvailable(\"a\"): expected false, saw true"));
  }

  @Test
  void playsThisManySequences() {
    Examination examination = new Examination(new ReferenceAdapter());
    Exhaustive.play(examination);
    assertThat(examination.departures()).isEmpty();
    assertThat(examination.scripts()).isEqualTo(41_895);
  }

  private static List<Departure> departures(Adapter adapter, Consumer<Examination> layer) {
    Examination examination = new Examination(adapter);
    layer.accept(examination);
    return examination.departures();
  }
}

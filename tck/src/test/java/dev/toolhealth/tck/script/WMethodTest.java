package dev.toolhealth.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LockingAdapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WMethodTest {

  /** The W-method finds a fault behind hidden states only when allowed as many extra states. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | The probe's success does not close the breaker right after a refused call
          1 | Failures that are 2 ns or more apart do not add up to the threshold
          2 | The probe's success does not close the breaker right after two refused calls
          2 | Failures that are 3 ns or more apart do not add up to the threshold
          """)
  void findsFaultsThatAsManyStatesHide(int hidden, String description) {
    Adapter faulty = Faults.of(description).adapter();
    for (int extraStates = 0; extraStates <= WMethod.EXTRA_STATES; extraStates++) {
      assertThat(play(faulty, extraStates).departures().isEmpty())
          .as(extraStates + " extra states")
          .isEqualTo(extraStates < hidden);
    }
  }

  @Test
  void playsThisManyScripts() {
    Adapter correct = new LockingAdapter();
    assertThat(play(correct, WMethod.EXTRA_STATES).scripts()).isEqualTo(14_742);
  }

  private static Examination play(Adapter adapter, int extraStates) {
    Examination examination = new Examination(adapter);
    WMethod.play(examination, extraStates);
    return examination;
  }
}

package dev.toolhealth.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.locking.Faults;
import dev.toolhealth.tck.locking.LockingAdapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WMethodTest {

  /** A state that the model does not have hides a fault from a method that reckons with none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | a success does not close right after a refused call
          1 | a failure that was followed by two nanoseconds of silence is forgotten
          2 | a success does not close right after two refused calls
          2 | a failure that was followed by three nanoseconds of silence is forgotten
          """)
  void findsFaultsThatAsManyStatesHide(int hidden, String description) {
    Adapter faulty = Faults.of(description).adapter();
    for (int extraStates = 0; extraStates <= WMethod.EXTRA_STATES; extraStates++) {
      assertThat(play(faulty, extraStates).departures().isEmpty())
          .as(extraStates + " states more")
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

package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.spec.Rule;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Screen screen(Screen.Style style) {
    return new Screen(new PrintWriter(out), new PrintWriter(err), 2, style);
  }

  private static void run(Screen screen) {
    screen.checking(Rule.BRK_1);
    screen.checking(Rule.BRK_10);
    screen.playing("scripts");
    screen.played("9 scripts");
    screen.clear();
  }

  @Test
  void aLineMovesAndIsGoneInTheEnd() {
    run(screen(Screen.Style.STATUS_LINE));
    assertThat(err.toString())
        .isEqualTo(
            over(0)
                + "rule 1 of 2: BRK-1"
                + over(18)
                + "rule 2 of 2: BRK-10"
                + over(19)
                + "playing scripts"
                + over(15)
                + over(0));
    assertThat(out.toString()).isEqualTo("9 scripts" + System.lineSeparator());
  }

  /** Returns the text that blanks a line of this width and moves to the beginning. */
  private static String over(int width) {
    return "\r" + " ".repeat(width) + "\r";
  }

  @Test
  void aShortRunWritesNoProgressIntoALog() {
    run(screen(Screen.Style.LINES));
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).isEqualTo("9 scripts" + System.lineSeparator());
  }

  @Test
  void eachBeatWritesIntoALogWhatIsRunning() {
    Screen screen = screen(Screen.Style.LINES);
    screen.checking(Rule.BRK_1);
    screen.checking(Rule.BRK_10);
    screen.beat();
    screen.beat();
    screen.playing("scripts");
    screen.beat();
    screen.played("9 scripts");
    screen.beat();
    assertThat(err.toString().lines())
        .containsExactly("rule 2 of 2: BRK-10", "rule 2 of 2: BRK-10", "playing scripts");
  }

  @Test
  void quietlyOnlyTheAccountsAreWritten() {
    Screen screen = screen(Screen.Style.NONE);
    run(screen);
    screen.playing("scripts");
    screen.beat();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).isEqualTo("9 scripts" + System.lineSeparator());
  }
}

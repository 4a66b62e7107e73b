package dev.toolhealth.tck.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class CommandTest {
  @Test
  void splitsAtWhiteSpace() {
    assertThat(Command.words(" python3  my.py\t-v ")).containsExactly("python3", "my.py", "-v");
  }

  @Test
  void quotesKeepWordsTogether() {
    assertThat(Command.words("'a b' \"it's\" x=\"1 2\"'3' '' C:\\x $y"))
        .containsExactly("a b", "it's", "x=1 23", "", "C:\\x", "$y");
  }

  @Test
  void refusesWhatIsNoCommand() {
    refused("", "the command is empty");
    refused("  ", "the command is empty");
    refused("a 'b", "a quote is not closed: a 'b");
    refused("a b\"", "a quote is not closed: a b\"");
  }

  private static void refused(String command, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Command.words(command))
        .withMessage(message);
  }
}

package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepetitionTest {

  @Test
  void plainWordsStandAsTheyAre() {
    Repetition repetition =
        new Repetition(List.of("--subject", "com.example.Mine", "--classpath", "a/b:c_d.jar"), -7);
    assertThat(repetition.command(List.of(Rule.BRK_1, Rule.STALE_2)))
        .isEqualTo(
            "java -jar tool-health-tck.jar --subject com.example.Mine --classpath a/b:c_d.jar"
                + " --rule BRK-1 --rule STALE-2 --seed -7");
  }

  @Test
  void aShellReadsTheOthersAsTheyAre() {
    Repetition repetition = new Repetition(List.of("--process", "it's \"$HOME\"; `x` *", ""), 1);
    assertThat(repetition.command(List.of()))
        .isEqualTo(
            "java -jar tool-health-tck.jar --process 'it'\\''s \"$HOME\"; `x` *' '' --seed 1");
  }
}

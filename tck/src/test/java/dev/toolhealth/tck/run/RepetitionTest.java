package dev.toolhealth.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.spec.Rule;
import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepetitionTest {

  @Test
  void plainWordsStandAsTheyAre() {
    Repetition repetition =
        new Repetition(
            List.of("kit", "--subject", "com.example.Mine", "--classpath", "a/b:c_d.jar"),
            -7,
            true);
    assertThat(repetition.line(List.of(Rule.BRK_1, Rule.STALE_2)))
        .isEqualTo(
            "kit --subject com.example.Mine --classpath a/b:c_d.jar"
                + " --rule BRK-1 --rule STALE-2 --seed -7");
  }

  @Test
  void aShellReadsTheOthersAsTheyAre() {
    Repetition repetition =
        new Repetition(List.of("kit", "--process", "it's \"$HOME\"; `x` *", ""), 1, true);
    assertThat(repetition.line(List.of()))
        .isEqualTo("kit --process 'it'\\''s \"$HOME\"; `x` *' '' --seed 1");
  }

  /** The printed command can be pasted into a shell in the directory the kit was started in. */
  @Test
  void theKitIsStartedAsItWas() {
    assertThat(Repetition.start("tck/target/kit.jar"))
        .containsExactly("java", "-jar", "tck/target/kit.jar");
    String classPath = "classes" + File.pathSeparator + "picocli.jar";
    assertThat(Repetition.start(classPath))
        .containsExactly("java", "-cp", classPath, "dev.toolhealth.tck.run.Main");
    assertThat(Repetition.start("classes")).contains("-cp", "classes");
  }

  @Test
  void theRealClockKnowsNoSeed() {
    assertThat(new Repetition(List.of("kit"), 1, false).line(List.of(Rule.BRK_6)))
        .isEqualTo("kit --rule BRK-6");
  }
}

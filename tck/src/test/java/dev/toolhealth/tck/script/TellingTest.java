package dev.toolhealth.tck.script;

import static dev.toolhealth.tck.CircuitState.CLOSED;
import static dev.toolhealth.tck.CircuitState.HALF_OPEN;
import static dev.toolhealth.tck.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Story.Breaker;
import dev.toolhealth.tck.script.Story.Event;
import java.util.List;
import org.junit.jupiter.api.Test;

class TellingTest {
  private static final String NAME = "\"a\"";
  private static final Step FAILURE = new Step.RecordFailure("a", 1);
  private static final Step ASK = new Step.AllowRequest("a");

  @Test
  void saysWhatTheRulesMakeOfEachStep() {
    List<Step> steps =
        List.of(
            FAILURE,
            FAILURE,
            new Step.Advance(9),
            ASK,
            new Step.Advance(1),
            ASK,
            new Step.Advance(5));
    Story.Played story = tell(new Script(new Config(2, 10, 5), -3, steps), true);
    assertThat(story.setting())
        .isEqualTo(
            "with threshold 2, recovery 10 ns, probe timeout 5 ns, on a clock that starts at -3 ns");
    assertThat(story.start()).containsExactly(new Breaker(NAME, CLOSED, ""));
    assertThat(story.events())
        .containsExactly(
            event(FAILURE, "", "0 ns", new Breaker(NAME, CLOSED, "1 failure")),
            event(FAILURE, "", "0 ns", new Breaker(NAME, OPEN, "cooldown ends at 10 ns")),
            event(steps.get(2), "", "9 ns", new Breaker(NAME, OPEN, "cooldown ends at 10 ns")),
            event(ASK, "false", "9 ns", new Breaker(NAME, OPEN, "cooldown ends at 10 ns")),
            event(
                steps.get(4),
                "",
                "10 ns",
                new Breaker(NAME, OPEN, "cooldown over, the next call is the probe")),
            event(
                ASK,
                "true",
                "10 ns",
                new Breaker(NAME, HALF_OPEN, "probe is out, its lease ends at 15 ns")),
            event(
                steps.get(6), "true", "15 ns", new Breaker(NAME, OPEN, "cooldown ends at 25 ns")));
  }

  private static Event event(Step step, String answer, String time, Breaker breaker) {
    return new Event(step.toString(), answer, step instanceof Step.Advance, time, List.of(breaker));
  }

  /** The last answer is the one that may have been wrong. */
  @Test
  void theLastAnswerIsTheSubjects() {
    Script script = new Script(new Config(1, Long.MAX_VALUE, 0), 0, List.of(FAILURE, ASK));
    Story.Played story = tell(script, true);
    assertThat(story.events()).extracting(Event::answer).containsExactly("", "true");
    assertThat(story.events().get(1).breakers())
        .containsExactly(new Breaker(NAME, OPEN, "cooldown never ends"));
  }

  @Test
  void drawsTheBreakersThatTheEndIsAbout() {
    List<Step> steps =
        List.of(
            new Step.AllowRequest("d"),
            ASK,
            new Step.AllowRequest("c"),
            FAILURE,
            new Step.AllowRequest("b"));
    Story.Played story = tell(new Script(Config.DEFAULT, 0, steps), true);
    assertThat(story.start()).extracting(Breaker::tool).containsExactly("\"a\"", "\"c\"", "\"b\"");
  }

  private static Story.Played tell(Script script, Object lastAnswer) {
    return (Story.Played) Telling.of(script, lastAnswer);
  }
}

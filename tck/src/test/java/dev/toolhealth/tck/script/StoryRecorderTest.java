package dev.toolhealth.tck.script;

import static dev.toolhealth.tck.CircuitState.CLOSED;
import static dev.toolhealth.tck.CircuitState.HALF_OPEN;
import static dev.toolhealth.tck.CircuitState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Story.Breaker;
import dev.toolhealth.tck.script.Story.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoryRecorderTest {
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
            clock(
                "clock moves to 9 ns (+9 ns)",
                "",
                "9 ns",
                new Breaker(NAME, OPEN, "cooldown ends at 10 ns")),
            event(ASK, "false", "9 ns", new Breaker(NAME, OPEN, "cooldown ends at 10 ns")),
            clock(
                "clock moves to 10 ns (+1 ns)",
                "",
                "10 ns",
                new Breaker(NAME, OPEN, "cooldown over, the next call is the probe")),
            event(
                ASK,
                "true",
                "10 ns",
                new Breaker(NAME, HALF_OPEN, "probe running, lease ends at 15 ns")),
            clock(
                "clock moves to 15 ns (+5 ns)",
                "true",
                "15 ns",
                new Breaker(NAME, OPEN, "cooldown ends at 25 ns")));
  }

  private static Event event(Step step, String answer, String time, Breaker breaker) {
    return event(step.toString(), answer, false, time, breaker);
  }

  private static Event clock(String what, String answer, String time, Breaker breaker) {
    return event(what, answer, true, time, breaker);
  }

  private static Event event(
      String what, String answer, boolean isClock, String time, Breaker breaker) {
    return new Event(what, answer, isClock, time, List.of(breaker));
  }

  /** Rounds at different times are folded, and a clock move of 0 is left out. */
  @Test
  void foldsRoundsAndLeavesOutWhatDoesNothing() {
    List<Step> steps = new ArrayList<>(List.of(new Step.Advance(0)));
    for (int round = 0; round < 3; round++) {
      steps.addAll(List.of(FAILURE, ASK, new Step.Advance(10)));
    }
    steps.addAll(List.of(ASK, new Step.Advance(-20), new Step.Advance(5)));
    Story.Played story = tell(new Script(Config.DEFAULT, 0, steps), "");
    assertThat(story.lines())
        .endsWith(
            "1-9. 3 times:",
            "       recordFailure(\"a\", 1 ns)",
            "       allowRequest(\"a\")",
            "       clock moves (+10 ns)",
            " 10. allowRequest(\"a\")",
            " 11. clock moves back to 10 ns",
            " 12. clock moves to 15 ns (+5 ns)");
  }

  /** The wrong answer belongs to the last step or to a read after the last step. */
  @Test
  void saysWhichStepWentWrong() {
    Story.Played story = tell(new Script(Config.DEFAULT, 0, List.of(FAILURE, ASK)), false);
    Finding step = Finding.comparison(Finding.LAST_STEP, true, false);
    assertThat(story.stepOf(step)).isEqualTo(2);
    assertThat(story.ending(step)).isEqualTo("step 2: expected true, saw false");
    assertThat(story.ending(Finding.comparison("allowRequest(\"a\")", true, false)))
        .isEqualTo("step 2: expected true, saw false");
    Finding question = Finding.comparison("isToolAvailable(\"a\")", true, false);
    assertThat(story.stepOf(question)).isZero();
    assertThat(story.ending(question))
        .isEqualTo("then isToolAvailable(\"a\"): expected true, saw false");
    assertThat(story.ending(Finding.sentence("step 2 threw it"))).isEqualTo("step 2 threw it");
  }

  /** The last answer shown is the subject's; earlier answers are the model's. */
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
    return (Story.Played) StoryRecorder.of(script, lastAnswer);
  }
}

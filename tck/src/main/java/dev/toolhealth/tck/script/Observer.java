package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;
import net.automatalib.word.Word;

/**
 * Does to a subject's tool what can be done to it on a clock that ticks, and notes what it shows.
 */
public final class Observer {
  private final Adapter adapter;
  private final Config config;

  /**
   * Prepares to observe.
   *
   * @param adapter the subject's adapter; it needs {@link
   *     dev.toolhealth.tck.Capability#MANUAL_CLOCK}
   * @param config the configuration
   */
  public Observer(Adapter adapter, Config config) {
    this.adapter = adapter;
    this.config = config;
  }

  /**
   * Plays inputs to a new subject.
   *
   * @param inputs the inputs
   * @return what it shows before the first of them, and after each
   * @throws Departure if the subject refuses the configuration
   */
  public List<Output> observe(Word<Input> inputs) {
    Stage stage = Stage.create(adapter, config, 0, Rule.BAD_2);
    List<Output> outputs = new ArrayList<>();
    outputs.add(look(Output.NONE, stage));
    for (Input input : inputs) {
      Object answer = Replay.attempt(() -> input.step().doTo(stage));
      outputs.add(look(answer, stage));
    }
    return outputs;
  }

  private Output look(Object answer, Stage stage) {
    return Output.of(
        answer,
        adapter.capabilities(),
        question -> Replay.attempt(() -> question.ask(stage.subject(), Input.TOOL)));
  }

  /**
   * Tells how a subject differs from what the rules demand.
   *
   * @param inputs what was done to it
   * @param expected what the rules demand that it shows at last
   * @param seen what it shows
   * @return the script and the difference, line by line
   */
  public List<String> difference(Word<Input> inputs, Output expected, Output seen) {
    List<Step> steps = inputs.stream().map(Input::step).toList();
    Story story = Telling.of(new Script(config, 0, steps), Step.DONE);
    List<String> lines = new ArrayList<>(story.lines());
    lines.add(story.ending(expected.difference(seen)));
    return lines;
  }
}

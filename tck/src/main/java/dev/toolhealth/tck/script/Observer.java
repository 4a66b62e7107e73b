package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;
import net.automatalib.word.Word;

/** An observer that plays inputs to a subject's tool and notes the outputs. */
public final class Observer {
  private final Adapter adapter;
  private final Config config;

  /**
   * Creates an observer.
   *
   * @param adapter the subject's adapter, with {@link dev.toolhealth.tck.Capability#MANUAL_CLOCK}
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
   * @return the output before the first input, and the output after each input
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
   * Describes a difference between the subject and the rules.
   *
   * @param inputs the inputs that lead to the difference
   * @param expected the output that the rules demand after the inputs
   * @param seen the subject's output
   * @return the script and the difference, line by line
   */
  public List<String> difference(Word<Input> inputs, Output expected, Output seen) {
    List<Step> steps = inputs.stream().map(Input::step).toList();
    Story story = StoryRecorder.of(new Script(config, 0, steps), Step.DONE);
    List<String> lines = new ArrayList<>(story.lines());
    lines.add(story.ending(expected.difference(seen)));
    return lines;
  }
}

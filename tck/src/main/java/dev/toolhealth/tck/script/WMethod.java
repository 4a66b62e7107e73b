package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import java.util.Iterator;
import java.util.List;
import net.automatalib.util.automaton.conformance.WMethodTestsIterator;
import net.automatalib.word.Word;

/**
 * Scripts of the W-method. A tool on a clock that ticks is a Mealy machine, and a small one if its
 * durations are. The method leads to each state of the model's machine, takes every input there and
 * every sequence of up to {@link #EXTRA_STATES} more, and then tells apart where that has led.
 *
 * <p>So whoever passes answers as the model does in every script of these inputs, however long,
 * provided that it is a machine as well, of at most that many states more than the model's.
 */
public final class WMethod {
  /** How many states a subject may have beyond the model's and still be found out. */
  public static final int EXTRA_STATES = 2;

  private WMethod() {}

  /**
   * Plays the scripts, under each of the smallest configurations that tell.
   *
   * @param examination where to play them
   */
  public static void play(Examination examination) {
    play(examination, EXTRA_STATES);
  }

  static void play(Examination examination, int extraStates) {
    for (Config config : SmallConfigs.of(1)) {
      Machine machine = Machine.ofModel(config, examination.capabilities());
      Iterator<Word<Input>> scripts = scripts(machine, extraStates);
      while (scripts.hasNext() && !examination.isOver()) {
        List<Step> steps = scripts.next().stream().map(Input::step).toList();
        examination.play(new Script(config, 0, steps));
      }
    }
  }

  /**
   * Lists the scripts that tell a machine from all others of hardly more states.
   *
   * @param machine the machine
   * @return the inputs, script by script
   */
  public static Iterator<Word<Input>> scripts(Machine machine) {
    return scripts(machine, EXTRA_STATES);
  }

  private static Iterator<Word<Input>> scripts(Machine machine, int extraStates) {
    return new WMethodTestsIterator<>(machine.mealy(), Machine.INPUTS, extraStates);
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import java.util.Iterator;
import java.util.List;
import net.automatalib.util.automaton.conformance.WMethodTestsIterator;
import net.automatalib.word.Word;

/**
 * Scripts of the W-method. A tool on a ticking clock is a Mealy machine, and a small machine if the
 * durations are short. The scripts of the W-method lead to each state of the model's machine. They
 * apply every input, and then every sequence of up to {@link #EXTRA_STATES} further inputs. They
 * end with inputs that identify the final state.
 *
 * <p>Suppose a subject is itself a machine, with at most {@link #EXTRA_STATES} states more than the
 * model's. If this subject passes all scripts, it answers exactly like the model in every script of
 * these inputs, however long.
 */
public final class WMethod {
  /** The number of states that a subject may have in addition to the model's. */
  public static final int EXTRA_STATES = 2;

  private WMethod() {}

  /**
   * Plays the scripts with each of the small configurations.
   *
   * @param examination the examination that plays them
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
   * Returns the scripts that tell a machine from all other machines with at most {@link
   * #EXTRA_STATES} more states.
   *
   * @param machine the machine
   * @return the inputs of each script
   */
  public static Iterator<Word<Input>> scripts(Machine machine) {
    return scripts(machine, EXTRA_STATES);
  }

  private static Iterator<Word<Input>> scripts(Machine machine, int extraStates) {
    return new WMethodTestsIterator<>(machine.mealy(), Machine.INPUTS, extraStates);
  }
}

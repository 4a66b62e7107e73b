package dev.toolhealth.tck.learn;

import de.learnlib.acex.AcexAnalyzers;
import de.learnlib.algorithm.ttt.mealy.TTTLearnerMealy;
import de.learnlib.oracle.SingleQueryOracle.SingleQueryOracleMealy;
import de.learnlib.query.DefaultQuery;
import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Departure;
import dev.toolhealth.tck.script.Input;
import dev.toolhealth.tck.script.Machine;
import dev.toolhealth.tck.script.Observer;
import dev.toolhealth.tck.script.Output;
import dev.toolhealth.tck.script.WMethod;
import java.util.Iterator;
import java.util.List;
import net.automatalib.word.Word;
import org.jspecify.annotations.Nullable;

/**
 * Infers the machine of a subject's tool on a clock that ticks, by active learning: a guess is made
 * from what was seen, and tried where the specification's machine is another and by the scripts of
 * the W-method, until no script shows that it is wrong.
 */
public final class Learner {
  /** How many states a subject may have beyond the specification's. */
  static final int MORE_STATES = 30;

  private final Machine specification;
  private final Observer observer;

  /**
   * Prepares to learn.
   *
   * @param adapter the subject's adapter; it needs {@link
   *     dev.toolhealth.tck.Capability#MANUAL_CLOCK}
   * @param config the configuration, with durations of a few nanoseconds
   */
  public Learner(Adapter adapter, Config config) {
    this.specification = Machine.ofModel(config, adapter.capabilities());
    this.observer = new Observer(adapter, config);
  }

  /**
   * Learns the subject's machine and compares it with the specification's.
   *
   * @return both, and a shortest sequence that tells them apart
   * @throws Unlearnable if the subject is not a machine, or a large one, or refuses the
   *     configuration
   */
  public Findings learn() {
    try {
      return learn(new Notes(observer));
    } catch (Departure e) {
      throw new Unlearnable(
          "It refuses the configuration:\n\n" + Page.block(List.of(e.getMessage())));
    }
  }

  private Findings learn(Notes notes) {
    SingleQueryOracleMealy<Input, Output> subject =
        (prefix, suffix) -> notes.outputs(prefix.concat(suffix)).subWord(prefix.length());
    TTTLearnerMealy<Input, Output> learner =
        new TTTLearnerMealy<>(Machine.INPUTS, subject, AcexAnalyzers.BINARY_SEARCH_BWD);
    learner.startLearning();
    while (true) {
      Machine guess = Machine.of(learner.getHypothesisModel(), notes.start());
      Word<Input> apart = specification.separate(guess).orElse(null);
      Word<Input> wrong = apart != null && isWrong(guess, apart, notes) ? apart : null;
      if (wrong == null && guess.size() > specification.size() + MORE_STATES) {
        throw new Unlearnable(tooLarge(difference(apart, guess)));
      }
      if (wrong == null) {
        wrong = search(guess, notes);
      }
      if (wrong == null) {
        return new Findings(specification, guess, difference(apart, guess));
      }
      learner.refineHypothesis(new DefaultQuery<>(wrong, notes.outputs(wrong)));
    }
  }

  private static @Nullable Word<Input> search(Machine guess, Notes notes) {
    Iterator<Word<Input>> scripts = WMethod.scripts(guess);
    while (scripts.hasNext()) {
      Word<Input> script = scripts.next();
      if (isWrong(guess, script, notes)) {
        return script;
      }
    }
    return null;
  }

  private static boolean isWrong(Machine guess, Word<Input> inputs, Notes notes) {
    return !guess.mealy().computeOutput(inputs).equals(notes.outputs(inputs));
  }

  private List<String> difference(@Nullable Word<Input> apart, Machine guess) {
    return apart == null
        ? List.of()
        : observer.difference(apart, specification.output(apart), guess.output(apart));
  }

  private static String tooLarge(List<String> difference) {
    return "It has more than "
        + MORE_STATES
        + " states beyond those of the specification, or is no finite machine at all: it may count"
        + " something. A sequence of inputs on which they differ:\n\n"
        + Page.block(difference);
  }
}

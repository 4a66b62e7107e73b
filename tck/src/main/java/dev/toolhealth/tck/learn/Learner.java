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
 * A learner that infers the state machine of a subject's tool, on a clock that ticks, by active
 * learning. The learner builds a hypothesis from the observations so far. It tests the hypothesis
 * with the shortest input sequence on which hypothesis and specification differ, and with the
 * scripts of the W-method. A wrong prediction refines the hypothesis. Learning ends when no script
 * refutes the hypothesis.
 */
public final class Learner {
  /** The number of states that a subject may have in addition to the specification's. */
  static final int MORE_STATES = 30;

  private final Machine specification;
  private final Observer observer;

  /**
   * Creates a learner.
   *
   * @param adapter the subject's adapter, with {@link dev.toolhealth.tck.Capability#MANUAL_CLOCK}
   * @param config the configuration, with durations of a few nanoseconds
   */
  public Learner(Adapter adapter, Config config) {
    this.specification = Machine.ofModel(config, adapter.capabilities());
    this.observer = new Observer(adapter, config);
  }

  /**
   * Learns the subject's machine and compares it with the specification's.
   *
   * @return both machines, and a shortest sequence that tells them apart
   * @throws Unlearnable if the subject is not deterministic, has too many states, or refuses the
   *     configuration
   */
  public Findings learn() {
    try {
      return learn(new ObservationTree(observer));
    } catch (Departure e) {
      throw new Unlearnable(
          "The subject refuses the configuration:\n\n" + Page.block(List.of(e.getMessage())));
    }
  }

  private Findings learn(ObservationTree observations) {
    SingleQueryOracleMealy<Input, Output> subject =
        (prefix, suffix) -> observations.outputs(prefix.concat(suffix)).subWord(prefix.length());
    TTTLearnerMealy<Input, Output> learner =
        new TTTLearnerMealy<>(Machine.INPUTS, subject, AcexAnalyzers.BINARY_SEARCH_BWD);
    learner.startLearning();
    while (true) {
      Machine guess = Machine.of(learner.getHypothesisModel(), observations.start());
      Word<Input> apart = specification.separate(guess).orElse(null);
      Word<Input> wrong = apart != null && isWrong(guess, apart, observations) ? apart : null;
      if (wrong == null && guess.size() > specification.size() + MORE_STATES) {
        throw new Unlearnable(tooLarge(difference(apart, guess)));
      }
      if (wrong == null) {
        wrong = search(guess, observations);
      }
      if (wrong == null) {
        return new Findings(specification, guess, difference(apart, guess));
      }
      learner.refineHypothesis(new DefaultQuery<>(wrong, observations.outputs(wrong)));
    }
  }

  private static @Nullable Word<Input> search(Machine guess, ObservationTree observations) {
    Iterator<Word<Input>> scripts = WMethod.scripts(guess);
    while (scripts.hasNext()) {
      Word<Input> script = scripts.next();
      if (isWrong(guess, script, observations)) {
        return script;
      }
    }
    return null;
  }

  private static boolean isWrong(Machine guess, Word<Input> inputs, ObservationTree observations) {
    return !guess.mealy().computeOutput(inputs).equals(observations.outputs(inputs));
  }

  private List<String> difference(@Nullable Word<Input> apart, Machine guess) {
    return apart == null
        ? List.of()
        : observer.difference(apart, specification.output(apart), guess.output(apart));
  }

  private static String tooLarge(List<String> difference) {
    return "The subject has more than "
        + MORE_STATES
        + " states beyond those of the specification, or infinitely many: perhaps it counts"
        + " something. A sequence of inputs on which subject and specification differ:\n\n"
        + Page.block(difference);
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Model;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.automatalib.alphabet.Alphabet;
import net.automatalib.alphabet.impl.Alphabets;
import net.automatalib.automaton.transducer.MealyMachine;
import net.automatalib.automaton.transducer.impl.CompactMealy;
import net.automatalib.util.automaton.Automata;
import net.automatalib.word.Word;
import org.jspecify.annotations.Nullable;

/**
 * A tool on a clock that ticks, as a Mealy machine. Its states are numbered from 0 in the order in
 * which they are reached, so that equal machines have equal numbers.
 *
 * @param mealy what each input leads to and shows
 * @param start what the tool shows before the first input
 */
public record Machine(CompactMealy<Input, Output> mealy, Output start) {
  /** All that can be done to the tool. */
  public static final Alphabet<Input> INPUTS = Alphabets.fromEnum(Input.class);

  /**
   * Numbers the states of a machine anew.
   *
   * @param mealy the machine, with a transition for each state and input
   * @param start what the tool shows before the first input
   * @param <S> its states
   * @return the same machine
   */
  public static <S> Machine of(MealyMachine<S, Input, ?, Output> mealy, Output start) {
    CompactMealy<Input, Output> numbered = new CompactMealy<>(INPUTS);
    Map<S, Integer> numbers = new HashMap<>();
    Deque<S> unexplored = new ArrayDeque<>();
    S initial = known(mealy.getInitialState());
    numbers.put(initial, numbered.addInitialState());
    unexplored.add(initial);
    while (!unexplored.isEmpty()) {
      S from = unexplored.remove();
      for (Input input : INPUTS) {
        S to = known(mealy.getSuccessor(from, input));
        if (!numbers.containsKey(to)) {
          numbers.put(to, numbered.addState());
          unexplored.add(to);
        }
        numbered.addTransition(
            known(numbers.get(from)),
            input,
            known(numbers.get(to)),
            known(mealy.getOutput(from, input)));
      }
    }
    return new Machine(numbered, start);
  }

  /**
   * Explores the model: its states are what tells its futures apart, its outputs the answers.
   *
   * @param config the configuration, with durations of a few nanoseconds
   * @param capabilities what can be asked
   * @return the smallest machine that answers as the rules demand
   */
  public static Machine ofModel(Config config, Set<Capability> capabilities) {
    CompactMealy<Input, Output> explored = new CompactMealy<>(INPUTS);
    Place start = new Place(explored.addInitialState(), List.of());
    Map<Object, Place> places = new HashMap<>();
    places.put(situation(new Walk(config, start.path())), start);
    Deque<Place> unexplored = new ArrayDeque<>(List.of(start));
    while (!unexplored.isEmpty()) {
      Place from = unexplored.remove();
      for (Input input : INPUTS) {
        List<Step> path = new ArrayList<>(from.path());
        path.add(input.step());
        Walk walk = new Walk(config, path);
        Place to =
            places.computeIfAbsent(
                situation(walk),
                situation -> {
                  Place found = new Place(explored.addState(), path);
                  unexplored.add(found);
                  return found;
                });
        Output output = look(walk.lastAnswer(), walk.model(), walk.now(), capabilities);
        explored.addTransition(from.state(), input, to.state(), output);
      }
    }
    return of(
        Automata.minimize(explored, INPUTS, new CompactMealy<>(INPUTS)),
        look(Output.NONE, new Model(config), 0, capabilities));
  }

  /** A state of the machine, and a shortest way there. */
  private record Place(int state, List<Step> path) {}

  private static Object situation(Walk walk) {
    return walk.model().situation(Input.TOOL, walk.now());
  }

  private static Output look(Object answer, Model model, long now, Set<Capability> capabilities) {
    return Output.of(
        answer, capabilities, question -> question.expected(model, Input.TOOL, now).value());
  }

  /** Every machine here has an initial state, and a transition for each state and input. */
  private static <T> T known(@Nullable T part) {
    return Objects.requireNonNull(part, "the machine is partial");
  }

  /**
   * Says how large the machine is.
   *
   * @return the number of its states
   */
  public int size() {
    return mealy.size();
  }

  /**
   * Says what the tool shows after some inputs.
   *
   * @param inputs the inputs
   * @return the last output
   */
  public Output output(Word<Input> inputs) {
    return inputs.isEmpty() ? start : mealy.computeOutput(inputs).lastSymbol();
  }

  /**
   * Compares with another machine.
   *
   * @param other the other machine
   * @return a shortest sequence of inputs after which the two show something else, if there is one
   */
  public Optional<Word<Input>> separate(Machine other) {
    return start.equals(other.start)
        ? Optional.ofNullable(Automata.findShortestSeparatingWord(mealy, other.mealy, INPUTS))
        : Optional.of(Word.epsilon());
  }
}

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
 * A tool on a clock that ticks, as a Mealy machine. The states are numbered from 0 in the order in
 * which a breadth-first search reaches them, so equal machines have equal numbers.
 *
 * @param mealy the next state and the output for each state and input
 * @param start the tool's output before the first input
 */
public record Machine(CompactMealy<Input, Output> mealy, Output start) {
  /** All inputs. */
  public static final Alphabet<Input> INPUTS = Alphabets.fromEnum(Input.class);

  /**
   * Renumbers the states of a machine.
   *
   * @param mealy the machine, with a transition for each state and input
   * @param start the tool's output before the first input
   * @param <S> the type of the states
   * @return the same machine with new numbers
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
   * Builds the model's machine. A state is a situation of the model, and an output consists of the
   * model's answers.
   *
   * @param config the configuration, with durations of a few nanoseconds
   * @param capabilities the subject's capabilities, which determine the answers in an output
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

  /** A state of the machine, and a shortest path to the state. */
  private record Place(int state, List<Step> path) {}

  private static Object situation(Walk walk) {
    return walk.model().situation(Input.TOOL, walk.now());
  }

  private static Output look(Object answer, Model model, long now, Set<Capability> capabilities) {
    return Output.of(
        answer, capabilities, question -> question.expected(model, Input.TOOL, now).value());
  }

  /** Checks for null: every machine has an initial state and all transitions. */
  private static <T> T known(@Nullable T part) {
    return Objects.requireNonNull(part, "the machine is partial");
  }

  /**
   * Returns the size of the machine.
   *
   * @return the number of states
   */
  public int size() {
    return mealy.size();
  }

  /**
   * Returns the tool's output after a sequence of inputs.
   *
   * @param inputs the inputs
   * @return the last output
   */
  public Output output(Word<Input> inputs) {
    return inputs.isEmpty() ? start : mealy.computeOutput(inputs).lastSymbol();
  }

  /**
   * Compares two machines.
   *
   * @param other the other machine
   * @return a shortest sequence of inputs after which the two outputs differ, if there is one
   */
  public Optional<Word<Input>> separate(Machine other) {
    return start.equals(other.start)
        ? Optional.ofNullable(Automata.findShortestSeparatingWord(mealy, other.mealy, INPUTS))
        : Optional.of(Word.epsilon());
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.automatalib.alphabet.Alphabet;
import net.automatalib.alphabet.impl.Alphabets;
import net.automatalib.automaton.transducer.impl.CompactMealy;
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

  private static final String TOOL = "a";

  private static final Alphabet<Step> INPUTS =
      Alphabets.fromArray(
          new Step.AllowRequest(TOOL),
          new Step.RecordSuccess(TOOL, 1),
          new Step.RecordFailure(TOOL, 1),
          new Step.Advance(1));

  private final Examination examination;
  private final List<Question> questions;

  private WMethod(Examination examination) {
    this.examination = examination;
    this.questions =
        Stream.of(Question.AVAILABLE, Question.STATE)
            .filter(question -> examination.capabilities().containsAll(question.needs()))
            .toList();
  }

  /**
   * Plays the scripts, under each of the smallest configurations that tell.
   *
   * @param examination where to play them
   */
  public static void play(Examination examination) {
    WMethod method = new WMethod(examination);
    configs().forEach(method::play);
  }

  /** Leases shorter than the cooldown, equal to it, longer, and none; no cooldown at all. */
  private static List<Config> configs() {
    List<Config> configs = new ArrayList<>();
    for (int threshold : new int[] {1, 2, 0}) {
      for (long lease : new long[] {2, 1, 3, 0}) {
        configs.add(new Config(threshold, 2, lease));
      }
      configs.add(new Config(threshold, 0, 2));
      configs.add(new Config(threshold, 0, 0));
    }
    return configs;
  }

  private void play(Config config) {
    Iterator<Word<Step>> words = new WMethodTestsIterator<>(machine(config), INPUTS, EXTRA_STATES);
    while (words.hasNext() && !examination.isOver()) {
      examination.play(new Script(config, 0, words.next().asList()), this::shorten);
    }
  }

  /** Leaves out steps for as long as what remains still goes wrong. */
  private Script shorten(Script script) {
    for (int i = 0; i < script.steps().size(); i++) {
      Script shorter = script.without(i);
      if (examination.stillDiffers(shorter)) {
        return shorten(shorter);
      }
    }
    return script;
  }

  /** Explores the model: its states are what tells its futures apart, its outputs the answers. */
  private CompactMealy<Step, List<Object>> machine(Config config) {
    CompactMealy<Step, List<Object>> machine = new CompactMealy<>(INPUTS);
    Place start = new Place(machine.addInitialState(), List.of());
    Map<Object, Place> places = new HashMap<>();
    places.put(situation(new Walk(config, start.path())), start);
    Deque<Place> unexplored = new ArrayDeque<>(List.of(start));
    while (!unexplored.isEmpty()) {
      Place from = unexplored.remove();
      for (Step input : INPUTS) {
        List<Step> path = new ArrayList<>(from.path());
        path.add(input);
        Walk walk = new Walk(config, path);
        Place to =
            places.computeIfAbsent(
                situation(walk),
                situation -> {
                  Place found = new Place(machine.addState(), path);
                  unexplored.add(found);
                  return found;
                });
        machine.addTransition(from.state(), input, to.state(), answers(walk));
      }
    }
    return machine;
  }

  /** A state of the machine, and a shortest way there. */
  private record Place(int state, List<Step> path) {}

  private List<Object> answers(Walk walk) {
    List<Object> answers = new ArrayList<>();
    answers.add(walk.lastAnswer());
    questions.forEach(
        question -> answers.add(question.expected(walk.model(), TOOL, walk.now()).value()));
    return answers;
  }

  private static Object situation(Walk walk) {
    return walk.model().situation(TOOL, walk.now());
  }
}

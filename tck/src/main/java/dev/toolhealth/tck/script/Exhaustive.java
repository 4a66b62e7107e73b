package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All short sequences of operations and of steps in time that tell: a nanosecond, up to the end of
 * the cooldown or lease, and to just before it.
 *
 * <p>A sequence is not made longer if another of no more steps has led the model to the same state
 * by the same {@link #MEMORY} last operations and by as many probes: a subject is taken to remember
 * no more than that beyond what the rules speak of. A success that is heeded wipes out the
 * operations before it; the first, the second and later probes are told apart. Each sequence that
 * is not made longer is led on to the next probe instead, where a cooldown that is not the right
 * one shows.
 */
public final class Exhaustive {
  /** How long the sequences are, what leads them on to the next probe aside. */
  static final int DEPTH = 9;

  /** How many operations a subject may remember and still be found out. */
  static final int MEMORY = 4;

  private static final int PROBES = 2;

  private static final long UNIT = 5;

  /** In the midst of the first cooldown the clock passes the largest number. */
  private static final long CLOCK_START = Long.MAX_VALUE - UNIT;

  private static final String TOOL = Input.TOOL;

  private final Examination examination;

  private Exhaustive(Examination examination) {
    this.examination = examination;
  }

  /**
   * Plays the sequences, under each of the smallest configurations that tell.
   *
   * @param examination where to play them
   */
  public static void play(Examination examination) {
    SmallConfigs.of(UNIT).forEach(new Exhaustive(examination)::play);
  }

  /** A sequence, and what of it a subject may still remember. */
  private record Path(List<Step> steps, List<Step> remembered, int probes) {

    /** What this path and others lead on from in the same way. */
    List<Object> crossroads(Walk walk) {
      return List.of(walk.model().situation(TOOL, walk.now()), remembered, probes);
    }
  }

  private void play(Config config) {
    Set<List<Object>> known = new HashSet<>();
    // Shorter paths come first, so the first one to a crossroads leaves the most steps.
    Deque<Path> paths = new ArrayDeque<>();
    paths.add(new Path(List.of(), List.of(), 0));
    while (!paths.isEmpty() && !examination.isOver()) {
      Path path = paths.remove();
      Walk walk = new Walk(config, path.steps());
      if (path.steps().size() < DEPTH && known.add(path.crossroads(walk))) {
        for (Step step : steps(walk)) {
          paths.add(longer(config, path, step));
        }
      } else {
        List<Step> steps = new ArrayList<>(path.steps());
        leadToProbe(config, walk, steps);
        examination.play(new Script(config, CLOCK_START, steps), this::minimise);
      }
    }
  }

  private static List<Step> steps(Walk walk) {
    List<Step> steps = new ArrayList<>();
    for (Input input : Input.values()) {
      steps.add(input.step());
    }
    long left = walk.left(TOOL);
    if (left > 1) {
      steps.add(new Step.Advance(left));
    }
    if (left > 2) {
      steps.add(new Step.Advance(left - 1));
    }
    return steps;
  }

  private static Path longer(Config config, Path path, Step step) {
    List<Step> steps = plus(path.steps(), step);
    if (step instanceof Step.Advance) {
      return new Path(steps, path.remembered(), path.probes());
    }
    Walk walk = new Walk(config, steps);
    if (step instanceof Step.RecordSuccess && isClosed(walk)) {
      return new Path(steps, List.of(), path.probes());
    }
    List<Step> remembered = plus(path.remembered(), step);
    int forgotten = Math.max(0, remembered.size() - MEMORY);
    boolean probe = walk.lastAnswer().equals(true) && !isClosed(walk);
    return new Path(
        steps,
        remembered.subList(forgotten, remembered.size()),
        Math.min(PROBES, path.probes() + (probe ? 1 : 0)));
  }

  private static List<Step> plus(List<Step> steps, Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return longer;
  }

  private static boolean isClosed(Walk walk) {
    return walk.model().circuitState(TOOL, walk.now()).value() == CircuitState.CLOSED;
  }

  /** Fails until the breaker trips, and asks the gate when the cooldown ends; looks just before. */
  private static void leadToProbe(Config config, Walk walk, List<Step> steps) {
    for (int failures = 0; failures < config.failureThreshold(); failures++) {
      if (isClosed(walk)) {
        take(walk, steps, Input.FAILURE.step());
      }
    }
    // What ends first may be a lease.
    for (int ends = 0; ends < 2; ends++) {
      long left = walk.left(TOOL);
      if (left > 1) {
        take(walk, steps, new Step.Advance(left - 1));
      }
      if (left > 0) {
        take(walk, steps, new Step.Advance(1));
      }
    }
    take(walk, steps, Input.GATE.step());
  }

  private static void take(Walk walk, List<Step> steps, Step step) {
    walk.take(step);
    steps.add(step);
  }

  /** Where the clock starts is only worth telling if it matters. */
  private Script minimise(Script script) {
    Script plain = script.startingAt(0);
    return examination.shorten(examination.stillDiffers(plain) ? plain : script);
  }
}

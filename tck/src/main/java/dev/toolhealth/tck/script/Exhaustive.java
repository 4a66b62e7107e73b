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
 * All short sequences of operations and time steps. A time step is one nanosecond, or ends exactly
 * at the end of the cooldown or lease, or one nanosecond before.
 *
 * <p>The search does not extend a sequence if an earlier sequence has led the model to the same
 * state with the same last {@link #MEMORY} operations and the same number of probes. The
 * assumption: apart from the state in the rules, a subject remembers nothing else. A success that
 * the breaker does not ignore erases the memory of earlier operations. The first, the second and
 * all later probes count as different. A sequence that is not extended continues to the next probe
 * instead, because a wrong cooldown shows there.
 */
public final class Exhaustive {
  /** The length of the sequences, without the steps that continue to the next probe. */
  static final int DEPTH = 9;

  /** The number of latest operations that a mistake may depend on and still be found. */
  static final int MEMORY = 4;

  private static final int PROBES = 2;

  private static final long UNIT = 5;

  /** The clock passes {@link Long#MAX_VALUE} in the middle of the first cooldown. */
  private static final long CLOCK_START = Long.MAX_VALUE - UNIT;

  private static final String TOOL = Input.TOOL;

  private final Examination examination;

  private Exhaustive(Examination examination) {
    this.examination = examination;
  }

  /**
   * Plays the sequences with each of the small configurations.
   *
   * @param examination the examination that plays them
   */
  public static void play(Examination examination) {
    SmallConfigs.of(UNIT).forEach(new Exhaustive(examination)::play);
  }

  /** A sequence, with the last operations that a subject may remember and the number of probes. */
  private record Path(List<Step> steps, List<Step> remembered, int probes) {

    /** Returns a key: paths with equal keys need to be extended only once. */
    List<Object> key(Walk walk) {
      return List.of(walk.model().situation(TOOL, walk.now()), remembered, probes);
    }
  }

  private void play(Config config) {
    Set<List<Object>> known = new HashSet<>();
    // Shorter paths come first, so the first path with a key leaves the most steps.
    Deque<Path> paths = new ArrayDeque<>();
    paths.add(new Path(List.of(), List.of(), 0));
    while (!paths.isEmpty() && !examination.isOver()) {
      Path path = paths.remove();
      Walk walk = new Walk(config, path.steps());
      if (path.steps().size() < DEPTH && known.add(path.key(walk))) {
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

  /**
   * Records failures until the breaker trips, stops the clock just before the cooldown's end, where
   * the reads are checked, and asks the gate at the end.
   */
  private static void leadToProbe(Config config, Walk walk, List<Step> steps) {
    for (int failures = 0; failures < config.failureThreshold(); failures++) {
      if (isClosed(walk)) {
        take(walk, steps, Input.FAILURE.step());
      }
    }
    // Two rounds, because the first end may be the end of a lease.
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

  /** Minimizes a script, with the clock's start at 0 if the mistake still shows. */
  private Script minimise(Script script) {
    Script plain = script.startingAt(0);
    return examination.shorten(examination.stillDiffers(plain) ? plain : script);
  }
}

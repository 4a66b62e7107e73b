package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.script.Step.Use;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sequences of calls with two permits, mixed with calls by name. From each situation that the model
 * can reach within {@link #DEPTH} steps, the search tries each possible step. A situation includes
 * the standing of each permit: the probe's permit, a permit of the current period, a stale permit,
 * or a permit that has reported. Each sequence ends with steps that reveal a breaker in a wrong
 * state: a failure, the instants around the cooldown's end, and a request for a permit.
 */
public final class PermitSequences {
  /** The length of the sequences, without the final steps. */
  static final int DEPTH = 7;

  private static final long UNIT = 2;

  private static final String TOOL = Input.TOOL;

  private PermitSequences() {}

  /**
   * Plays the sequences with each of the small configurations.
   *
   * @param examination the examination that plays them; the subject needs {@link
   *     dev.toolhealth.tck.Capability#PERMITS}
   */
  public static void play(Examination examination) {
    SmallConfigs.of(UNIT).forEach(config -> play(examination, config));
  }

  private static void play(Examination examination, Config config) {
    Set<Object> known = new HashSet<>();
    Deque<List<Step>> paths = new ArrayDeque<>();
    paths.add(List.of());
    while (!paths.isEmpty() && !examination.isOver()) {
      List<Step> path = paths.remove();
      Walk walk = new Walk(config, path);
      examination.play(new Script(config, 0, ended(walk, path)));
      if (path.size() < DEPTH && known.add(walk.model().situation(TOOL, walk.now()))) {
        for (Step step : steps(new Walk(config, path))) {
          List<Step> longer = new ArrayList<>(path);
          longer.add(step);
          paths.add(longer);
        }
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
    for (String permit : List.of("p", "q")) {
      steps.add(new Step.Acquire(TOOL, permit));
      for (Use use : Use.values()) {
        steps.add(new Step.UsePermit(TOOL, permit, use));
      }
    }
    return steps;
  }

  private static List<Step> ended(Walk walk, List<Step> path) {
    List<Step> steps = new ArrayList<>(path);
    steps.add(Input.FAILURE.step());
    walk.take(Input.FAILURE.step());
    for (long left = walk.left(TOOL); left > 0; left = left > 1 ? 1 : 0) {
      steps.add(walk.passing(left > 1 ? left - 1 : left));
    }
    steps.add(new Step.Acquire(TOOL, "last"));
    return steps;
  }
}

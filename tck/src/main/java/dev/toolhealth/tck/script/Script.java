package dev.toolhealth.tck.script;

import dev.toolhealth.tck.CircuitState;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A script: the registry's configuration, the first reading of the clock, and the steps. A replay
 * needs nothing else.
 */
record Script(Config config, long clockStart, List<Step> steps) {
  /** A binary million. Durations that people choose are not divisible by this number. */
  private static final long MILLION = 1 << 20;

  private static final long YEARS = 1L << 57;

  Script {
    steps = List.copyOf(steps);
  }

  Script first(int length) {
    return new Script(config, clockStart, steps.subList(0, length));
  }

  Script then(Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return withSteps(longer);
  }

  /** Removes steps and joins consecutive advances as long as the result is still good. */
  Script shortened(Predicate<Script> stillGood) {
    Script shortest =
        withSteps(Shortening.of(steps, shorter -> stillGood.test(withSteps(shorter))));
    for (int i = 0; i + 1 < shortest.steps.size(); ) {
      Script joined = shortest.joined(i);
      if (!joined.equals(shortest) && stillGood.test(joined)) {
        shortest = joined;
      } else {
        i++;
      }
    }
    return shortest.steps.size() < steps.size() ? shortest.shortened(stillGood) : shortest;
  }

  /** Joins two consecutive advances into one. Returns this script if the steps are others. */
  private Script joined(int index) {
    if (steps.get(index) instanceof Step.Advance first
        && steps.get(index + 1) instanceof Step.Advance second) {
      List<Step> fewer = new ArrayList<>(steps);
      fewer.remove(index + 1);
      fewer.set(index, new Step.Advance(first.nanos() + second.nanos()));
      return withSteps(fewer);
    }
    return this;
  }

  private Script withSteps(List<Step> others) {
    return new Script(config, clockStart, others);
  }

  boolean hasNegativeDuration() {
    return steps.stream()
        .anyMatch(
            step ->
                (step instanceof Step.RecordSuccess s && s.nanos() < 0)
                    || (step instanceof Step.RecordFailure f && f.nanos() < 0));
  }

  boolean hasPermits() {
    return steps.stream().anyMatch(Script::isAboutAPermit);
  }

  private static boolean isAboutAPermit(Step step) {
    return step instanceof Step.Acquire || step instanceof Step.UsePermit;
  }

  /** Returns the script without permits: requests become gate calls, first reports outcomes. */
  Script byName() {
    Walk walk = new Walk(config, List.of());
    List<Step> byName = new ArrayList<>();
    for (Step step : steps) {
      boolean reports = walk.take(step) != Rule.PERMIT_5;
      if (step instanceof Step.Acquire acquire) {
        byName.add(new Step.AllowRequest(acquire.tool()));
      } else if (step instanceof Step.UsePermit use) {
        if (reports && use.use() == Step.Use.SUCCESS) {
          byName.add(new Step.RecordSuccess(use.tool(), 1));
        } else if (reports && use.use() == Step.Use.FAILURE) {
          byName.add(new Step.RecordFailure(use.tool(), 1));
        }
      } else {
        byName.add(step);
      }
    }
    return withSteps(byName);
  }

  /**
   * Returns the script with another configuration and additional waits. The waits follow each
   * failure that leaves the breaker OPEN, and precede each gate call that would now come too early
   * for the probe.
   */
  Script slower(Config another, long nanos) {
    Walk quick = new Walk(config, List.of());
    Walk slow = new Walk(another, List.of());
    List<Step> slower = new ArrayList<>();
    for (Step step : steps) {
      boolean early =
          step instanceof Step.AllowRequest ask
              && quick.model().isToolAvailable(ask.tool(), quick.now()).value()
              && !slow.model().isToolAvailable(ask.tool(), slow.now()).value();
      if (early) {
        slower.add(slow.passing(nanos));
      }
      quick.take(step);
      slow.take(step);
      slower.add(step);
      boolean opened =
          step instanceof Step.RecordFailure failure
              && slow.model().circuitState(failure.tool(), slow.now()).value() == CircuitState.OPEN;
      if (opened) {
        slower.add(slow.passing(nanos));
      }
    }
    return new Script(another, clockStart, slower);
  }

  /** Returns the script with another duration of all calls. */
  Script withDurations(long nanos) {
    return withSteps(steps.stream().map(step -> step.lasting(nanos)).toList());
  }

  /** Returns the script with another tool if all steps are about the same tool and use its name. */
  Script renamed(String another) {
    boolean plain =
        steps.stream()
            .allMatch(step -> step instanceof Step.Advance || !step.about(another).equals(step));
    return plain && tools().size() == 1
        ? withSteps(steps.stream().map(step -> step.about(another)).toList())
        : this;
  }

  /**
   * Returns the script with shorter times: all of them a million times shorter if all are
   * divisible, otherwise only the times of several years.
   */
  Script quicker() {
    List<Long> times = new ArrayList<>(List.of(config.recoveryNanos(), config.probeTimeoutNanos()));
    steps.forEach(step -> times.add(step instanceof Step.Advance a ? a.nanos() : 0L));
    long slow = times.stream().allMatch(time -> time % MILLION == 0) ? MILLION : YEARS;
    Config quick =
        new Config(
            config.failureThreshold(),
            quicker(config.recoveryNanos(), slow),
            quicker(config.probeTimeoutNanos(), slow));
    return new Script(
        quick,
        clockStart,
        steps.stream()
            .map(
                step ->
                    step instanceof Step.Advance a
                        ? new Step.Advance(quicker(a.nanos(), slow))
                        : step)
            .toList());
  }

  private static long quicker(long nanos, long slow) {
    return nanos >= slow ? nanos / MILLION : nanos;
  }

  Script startingAt(long start) {
    return new Script(config, start, steps);
  }

  /** Returns whether the clock steps back, which only a few rules allow. */
  boolean clockStepsBack() {
    return steps.stream()
        .anyMatch(step -> step instanceof Step.Advance advance && advance.nanos() < 0);
  }

  Set<String> tools() {
    Set<String> tools = new TreeSet<>();
    steps.forEach(step -> tools.addAll(step.tools()));
    return tools;
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Answer;
import dev.toolhealth.tck.spec.Model;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** A run of the model through a script, step by step. */
final class Walk {
  private final Model model;
  private long now;
  private Object lastAnswer = Step.DONE;

  Walk(Config config, List<Step> steps) {
    model = new Model(config);
    steps.forEach(this::take);
  }

  /** Performs a step, and returns the rule that governs the effect. */
  Rule take(Step step) {
    if (step instanceof Step.Advance advance) {
      now += advance.nanos();
    }
    Answer<?> answer = step.doTo(model, now);
    lastAnswer = answer.value();
    return answer.rule();
  }

  /** Advances the time, and returns the step that does so. */
  Step passing(long nanos) {
    Step step = new Step.Advance(nanos);
    take(step);
    return step;
  }

  Model model() {
    return model;
  }

  long now() {
    return now;
  }

  /** Returns the time until the end of the tool's cooldown or lease, or 0 if neither is running. */
  long left(String tool) {
    return model.nextBoundary(tool, now) - now;
  }

  Object lastAnswer() {
    return lastAnswer;
  }
}

package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Answer;
import dev.toolhealth.tck.spec.Model;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;

/** The model on its way through a script. */
final class Walk {
  private final Model model;
  private long now;
  private Object lastAnswer = Step.DONE;

  Walk(Config config, List<Step> steps) {
    model = new Model(config);
    steps.forEach(this::take);
  }

  /** Takes a step, and says which rule tells what it does. */
  Rule take(Step step) {
    if (step instanceof Step.Advance advance) {
      now += advance.nanos();
    }
    Answer<?> answer = step.doTo(model, now);
    lastAnswer = answer.value();
    return answer.rule();
  }

  /** Lets time pass. */
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

  /** How far away the end of the tool's cooldown or lease is. */
  long left(String tool) {
    return model.nextBoundary(tool, now) - now;
  }

  Object lastAnswer() {
    return lastAnswer;
  }
}

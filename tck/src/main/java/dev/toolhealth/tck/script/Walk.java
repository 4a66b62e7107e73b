package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Model;
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

  void take(Step step) {
    if (step instanceof Step.Advance advance) {
      now += advance.nanos();
    }
    lastAnswer = step.doTo(model, now).value();
  }

  Model model() {
    return model;
  }

  long now() {
    return now;
  }

  Object lastAnswer() {
    return lastAnswer;
  }
}

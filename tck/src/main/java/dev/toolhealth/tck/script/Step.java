package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.spec.Answer;
import dev.toolhealth.tck.spec.Model;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Set;

/** One step of a script: an operation on the subject or its clock, and the same on the model. */
sealed interface Step {

  /** The answer of a step that returns nothing. */
  String DONE = "done";

  /**
   * Performs the step on the model.
   *
   * @return the right answer, and the rule that governs the step's effect
   */
  Answer<?> doTo(Model model, long now);

  /** Performs the step on the subject, and returns the subject's answer. */
  Object doTo(Stage stage);

  /** Returns the tools that the step is about. */
  Set<String> tools();

  /** Returns an outcome with another duration. Any other step returns itself. */
  default Step lasting(long nanos) {
    return this;
  }

  /** Returns a call of another tool. Any other step returns itself. */
  default Step about(String another) {
    return this;
  }

  /** Advances the clock. */
  record Advance(long nanos) implements Step {
    @Override
    public Answer<?> doTo(Model model, long now) {
      return new Answer<>(DONE, Rule.BRK_7);
    }

    @Override
    public Object doTo(Stage stage) {
      stage.setElapsed(stage.elapsed() + nanos);
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of();
    }

    @Override
    public String toString() {
      return "advance " + Words.nanos(nanos);
    }
  }

  /** Asks the gate. */
  record AllowRequest(String tool) implements Step {
    @Override
    public Step about(String another) {
      return new AllowRequest(another);
    }

    @Override
    public Answer<?> doTo(Model model, long now) {
      return model.allowRequest(tool, now);
    }

    @Override
    public Object doTo(Stage stage) {
      return stage.allowRequest(tool);
    }

    @Override
    public Set<String> tools() {
      return Set.of(tool);
    }

    @Override
    public String toString() {
      return "allowRequest(" + Words.name(tool) + ")";
    }
  }

  /** Records a success. */
  record RecordSuccess(String tool, long nanos) implements Step {
    @Override
    public Step about(String another) {
      return new RecordSuccess(another, nanos);
    }

    @Override
    public Step lasting(long duration) {
      return new RecordSuccess(tool, duration);
    }

    @Override
    public Answer<?> doTo(Model model, long now) {
      return new Answer<>(DONE, model.recordSuccess(tool, nanos, now));
    }

    @Override
    public Object doTo(Stage stage) {
      stage.recordSuccess(tool, nanos);
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of(tool);
    }

    @Override
    public String toString() {
      return "recordSuccess(" + Words.name(tool) + ", " + Words.nanos(nanos) + ")";
    }
  }

  /** Records a failure. */
  record RecordFailure(String tool, long nanos) implements Step {
    @Override
    public Step about(String another) {
      return new RecordFailure(another, nanos);
    }

    @Override
    public Step lasting(long duration) {
      return new RecordFailure(tool, duration);
    }

    @Override
    public Answer<?> doTo(Model model, long now) {
      return new Answer<>(DONE, model.recordFailure(tool, nanos, now));
    }

    @Override
    public Object doTo(Stage stage) {
      stage.recordFailure(tool, nanos);
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of(tool);
    }

    @Override
    public String toString() {
      return "recordFailure(" + Words.name(tool) + ", " + Words.nanos(nanos) + ")";
    }
  }

  /** Requests a permit. */
  record Acquire(String tool, String permit) implements Step {
    @Override
    public Step about(String another) {
      return new Acquire(another, permit);
    }

    @Override
    public Answer<?> doTo(Model model, long now) {
      Answer<Long> answer = model.tryAcquire(tool, permit, now);
      return new Answer<>(Words.permit(answer.value() == 0, answer.value()), answer.rule());
    }

    @Override
    public Object doTo(Stage stage) {
      Permit answer = stage.tryAcquire(tool, permit);
      return Words.permit(answer.isGranted(), answer.retryAfterNanos());
    }

    @Override
    public Set<String> tools() {
      return Set.of(tool);
    }

    @Override
    public String toString() {
      return permit + " = tryAcquire(" + Words.name(tool) + ")";
    }
  }

  /** The operations on a permit. */
  enum Use {
    SUCCESS,
    FAILURE,
    CANCEL,
    CLOSE
  }

  /** Uses a permit. Does nothing if the permit was not requested, or was refused. */
  record UsePermit(String tool, String permit, Use use) implements Step {
    private static final long NANOS = 1;

    @Override
    public Step about(String another) {
      return new UsePermit(another, permit, use);
    }

    @Override
    public Answer<?> doTo(Model model, long now) {
      return new Answer<>(
          DONE,
          switch (use) {
            case SUCCESS -> model.report(tool, permit, true, NANOS, now);
            case FAILURE -> model.report(tool, permit, false, NANOS, now);
            case CANCEL -> model.cancel(tool, permit, now);
            case CLOSE -> {
              model.cancel(tool, permit, now);
              yield Rule.PERMIT_5;
            }
          });
    }

    @Override
    public Object doTo(Stage stage) {
      Permit granted = stage.granted(tool, permit);
      if (granted != null) {
        switch (use) {
          case SUCCESS -> granted.success(NANOS);
          case FAILURE -> granted.failure(NANOS);
          case CANCEL -> granted.cancel();
          case CLOSE -> granted.close();
        }
      }
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of(tool);
    }

    @Override
    public String toString() {
      return switch (use) {
        case SUCCESS -> permit + ".success(" + Words.nanos(NANOS) + ")";
        case FAILURE -> permit + ".failure(" + Words.nanos(NANOS) + ")";
        case CANCEL -> permit + ".cancel()";
        case CLOSE -> permit + ".close()";
      };
    }
  }

  /** Requests the handle on a tool. All following steps about the tool use the handle. */
  record GetHandle(String tool) implements Step {
    @Override
    public Answer<?> doTo(Model model, long now) {
      model.handle(tool);
      return new Answer<>(DONE, Rule.REG_2);
    }

    @Override
    public Object doTo(Stage stage) {
      stage.getHandle(tool);
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of(tool);
    }

    @Override
    public String toString() {
      return "handle(" + Words.name(tool) + "), and use it from now on";
    }
  }

  /** Switches between a tool's name and its latest handle. */
  record GoBy(String tool, boolean handle) implements Step {
    @Override
    public Answer<?> doTo(Model model, long now) {
      return new Answer<>(DONE, Rule.REG_2);
    }

    @Override
    public Object doTo(Stage stage) {
      if (handle) {
        stage.goByHandle(tool);
      } else {
        stage.goByName(tool);
      }
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of();
    }

    @Override
    public String toString() {
      return "from now on, use "
          + (handle ? "the handle on " + Words.name(tool) : Words.name(tool) + " by name");
    }
  }

  /** Reconfigures the registry. */
  record Configure(Config config) implements Step {
    @Override
    public Answer<?> doTo(Model model, long now) {
      model.configure(config);
      return new Answer<>(DONE, Rule.REG_4);
    }

    @Override
    public Object doTo(Stage stage) {
      stage.subject().configure(config);
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of();
    }

    @Override
    public String toString() {
      return "configure(" + Words.config(config) + ")";
    }
  }

  /** Sets a tool's fallbacks. */
  record SetFallbacks(String primary, List<String> fallbacks) implements Step {
    @Override
    public Answer<?> doTo(Model model, long now) {
      model.setFallbacks(primary, fallbacks);
      return new Answer<>(DONE, Rule.ROUTE_5);
    }

    @Override
    public Object doTo(Stage stage) {
      stage.subject().setFallbacks(primary, fallbacks);
      return DONE;
    }

    @Override
    public Set<String> tools() {
      return Set.of(primary);
    }

    @Override
    public String toString() {
      return "setFallbacks("
          + Words.name(primary)
          + ", "
          + fallbacks.stream().map(Words::name).toList()
          + ")";
    }
  }
}

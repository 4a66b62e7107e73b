package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Permit;
import dev.toolhealth.tck.spec.Answer;
import dev.toolhealth.tck.spec.Model;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Set;

/** One thing that is done to a subject or to its clock, and to the model likewise. */
sealed interface Step {

  /** The answer of a step that has none. */
  String DONE = "done";

  /** Does the step to the model: the right answer, and the rule that says what the step does. */
  Answer<?> doTo(Model model, long now);

  /** Does the step to the subject. */
  Object doTo(Stage stage);

  /** The tools that the step is about. */
  Set<String> tools();

  /** The same outcome of a call that took so long; any other step as it is. */
  default Step lasting(long nanos) {
    return this;
  }

  /** The same with another tool; whatever is not about a call stays as it is. */
  default Step about(String another) {
    return this;
  }

  /** Time passes. */
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

  /** The gate is asked. */
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

  /** A success is recorded. */
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

  /** A failure is recorded. */
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

  /** A permit is asked for. */
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

  /** What can be done with a permit. */
  enum Use {
    SUCCESS,
    FAILURE,
    CANCEL,
    CLOSE
  }

  /** A permit is used. Nothing happens if it was not asked for, or refused. */
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

  /** The handle on a tool is asked for, and used from then on. */
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
      return "handle(" + Words.name(tool) + "), used from now on";
    }
  }

  /** A tool is gone to by its name again, or by the handle that it has. */
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
      return (handle
              ? "the handle on " + Words.name(tool) + " again"
              : Words.name(tool) + " by name")
          + " from now on";
    }
  }

  /** The registry is configured anew. */
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

  /** A tool's substitutes are set. */
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

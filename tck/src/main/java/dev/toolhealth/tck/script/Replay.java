package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.spec.Answer;
import dev.toolhealth.tck.spec.Model;
import dev.toolhealth.tck.spec.Rule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A player that plays a script to a subject and to the model, and compares the answers. */
final class Replay {
  /** A name that no script uses. Reads of this name must answer as for a new tool (REG-3). */
  static final String UNSEEN = "unseen";

  private final Adapter adapter;
  private final List<Question> questions;

  Replay(Adapter adapter) {
    this(adapter, Question.offeredBy(adapter.capabilities()));
  }

  private Replay(Adapter adapter, List<Question> questions) {
    this.adapter = adapter;
    this.questions = questions;
  }

  /** Returns a player that never asks this question. */
  Replay without(Question question) {
    return new Replay(adapter, questions.stream().filter(q -> q != question).toList());
  }

  /** The time at which the player asks the questions. Questions must change nothing. */
  enum Asking {
    /** Asks all questions about every tool after every step. */
    ALWAYS,
    /** Asks all questions about every tool after every step except the last two. */
    BEFORE_THE_LAST_TWO,
    /** Asks all questions about every tool after the last step only. */
    AT_THE_END,
    /** Asks no questions: only the answers of the steps themselves are compared. */
    NEVER
  }

  /**
   * A difference between subject and model.
   *
   * @param step the index of the last step before the difference
   * @param effect the rule that governs the effect of this step, or null if only time has passed
   * @param question the question, or null if the step's own answer differs
   * @param tool the tool that the question is about
   * @param expected the right answer, and the rule that demands the answer
   * @param seen the subject's answer, or a description of the exception
   */
  record Difference(
      int step,
      @Nullable Rule effect,
      @Nullable Question question,
      String tool,
      Answer<?> expected,
      Object seen) {}

  boolean asks(Question question) {
    return questions.contains(question);
  }

  Optional<Difference> run(Script script, Asking asking, CaseCount caseCount) {
    return new Run(script, caseCount).play(asking);
  }

  /** Plays the whole script without questions, and then asks one question. */
  Optional<Difference> runThenAsk(Script script, Question question, String tool) {
    Run run = new Run(script, new CaseCount());
    Optional<Difference> difference = run.play(Asking.NEVER);
    return difference.isPresent()
        ? difference
        : Optional.ofNullable(run.ask(script.steps().size() - 1, run.lastEffect, question, tool));
  }

  /** Plays the whole script without questions, asks all questions, and then asks a tool's gate. */
  Optional<Difference> runReadAllThenAskGate(Script script, String tool) {
    Run run = new Run(script.then(new Step.AllowRequest(tool)), new CaseCount());
    return run.play(Asking.NEVER, () -> run.readAll(tool));
  }

  /** Plays the whole script without questions, asks all, and then compares one answer. */
  Optional<Difference> runReadAllThenAsk(Script script, Question question, String tool) {
    Run run = new Run(script, new CaseCount());
    Optional<Difference> difference = run.play(Asking.NEVER);
    if (difference.isPresent()) {
      return difference;
    }
    run.readAll(tool);
    return Optional.ofNullable(run.ask(script.steps().size() - 1, run.lastEffect, question, tool));
  }

  private final class Run {
    private final Script script;
    private final CaseCount caseCount;
    private final Model model;
    private final Stage stage;
    private @Nullable Rule lastEffect;

    Run(Script script, CaseCount caseCount) {
      this.script = script;
      this.caseCount = caseCount;
      this.model = new Model(script.config());
      this.stage = Stage.create(adapter, script.config(), script.clockStart(), Rule.BAD_2);
    }

    Optional<Difference> play(Asking asking) {
      return play(asking, () -> {});
    }

    /** Plays the script, and runs an action before the last step that is not checked. */
    Optional<Difference> play(Asking asking, Runnable beforeTheLast) {
      Set<String> tools = script.tools();
      tools.add(UNSEEN);
      for (int i = 0; i < script.steps().size(); i++) {
        Step step = script.steps().get(i);
        if (i == script.steps().size() - 1) {
          beforeTheLast.run();
        }
        Answer<?> expected = step.doTo(model, stage.elapsed());
        Object seen = attempt(() -> step.doTo(stage));
        Rule effect = step instanceof Step.Advance ? null : expected.rule();
        lastEffect = effect;
        if (effect != null) {
          caseCount.count(effect);
        }
        if (!Question.agree(expected.value(), seen)) {
          return Optional.of(new Difference(i, effect, null, "", expected, seen));
        }
        int left = script.steps().size() - 1 - i;
        boolean ask =
            switch (asking) {
              case ALWAYS -> true;
              case BEFORE_THE_LAST_TWO -> left >= 2;
              case AT_THE_END -> left == 0;
              case NEVER -> false;
            };
        if (ask) {
          Difference difference = askAll(i, effect, tools);
          if (difference != null) {
            return Optional.of(difference);
          }
        }
      }
      return Optional.empty();
    }

    void readAll(String another) {
      Set<String> tools = script.tools();
      tools.addAll(List.of(another, UNSEEN));
      for (String tool : tools) {
        questions.forEach(question -> attempt(() -> question.ask(stage.subject(), tool)));
      }
    }

    private @Nullable Difference askAll(int step, @Nullable Rule effect, Set<String> tools) {
      for (String tool : tools) {
        for (Question question : questions) {
          if (question.isAboutOneTool()) {
            Difference difference = ask(step, effect, question, tool);
            if (difference != null) {
              return difference;
            }
          }
        }
      }
      for (Question question : questions) {
        if (!question.isAboutOneTool()) {
          Difference difference = ask(step, effect, question, "");
          if (difference != null) {
            return difference;
          }
        }
      }
      return null;
    }

    @Nullable Difference ask(int step, @Nullable Rule effect, Question question, String tool) {
      Answer<?> expected = question.expected(model, tool, stage.elapsed());
      caseCount.count(tool.equals(UNSEEN) ? Rule.REG_3 : expected.rule());
      if (question == Question.AVAILABLE) {
        caseCount.count(Rule.ORACLE_1);
      }
      Object seen = attempt(() -> question.ask(stage.subject(), tool));
      return Question.agree(expected.value(), seen)
          ? null
          : new Difference(step, effect, question, tool, expected, seen);
    }
  }

  /**
   * Returns the subject's answer. An exception becomes its description, which equals no right
   * answer.
   */
  static Object attempt(Supplier<Object> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return Departure.threw(e);
    }
  }
}

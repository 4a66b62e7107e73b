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

/** Plays scripts to a subject and to the model, and compares what they answer. */
final class Replay {
  /** A name that no script uses: reads of it must answer as for a new tool (REG-3). */
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

  /** Does the same without ever asking one of the questions. */
  Replay without(Question question) {
    return new Replay(adapter, questions.stream().filter(q -> q != question).toList());
  }

  /** When the questions are asked that should change nothing. */
  enum Asking {
    /** All of them about every tool, after every step. */
    ALWAYS,
    /** All of them about every tool, after every step but the last two. */
    BEFORE_THE_LAST_TWO,
    /** All of them, after the last step only. */
    AT_THE_END,
    /** None: only the gate's answers are compared. */
    NEVER
  }

  /**
   * A difference between subject and model.
   *
   * @param step the index of the last step before it
   * @param effect what the model made of that step, if it was an outcome or a gate call
   * @param question what was asked, or null if it is the step's own answer that differs
   * @param tool the tool that was asked about
   * @param expected the right answer, and the rule that it follows from
   * @param seen the subject's answer, or what it threw
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

  Optional<Difference> run(Script script, Asking asking, Tally tally) {
    return new Run(script, tally).play(asking);
  }

  /** Plays the whole script in silence, and then asks one question. */
  Optional<Difference> runThenAsk(Script script, Question question, String tool) {
    Run run = new Run(script, new Tally());
    Optional<Difference> difference = run.play(Asking.NEVER);
    return difference.isPresent()
        ? difference
        : Optional.ofNullable(run.ask(script.steps().size() - 1, run.lastEffect, question, tool));
  }

  /** Plays the whole script in silence, asks everything, and then a tool's gate. */
  Optional<Difference> runLookThenAskGate(Script script, String tool) {
    Run run = new Run(script.then(new Step.AllowRequest(tool)), new Tally());
    return run.play(Asking.NEVER, () -> run.lookAtAll(tool));
  }

  /** Plays the whole script in silence, asks everything, and then one question again. */
  Optional<Difference> runLookThenAsk(Script script, Question question, String tool) {
    Run run = new Run(script, new Tally());
    Optional<Difference> difference = run.play(Asking.NEVER);
    if (difference.isPresent()) {
      return difference;
    }
    run.lookAtAll(tool);
    return Optional.ofNullable(run.ask(script.steps().size() - 1, run.lastEffect, question, tool));
  }

  private final class Run {
    private final Script script;
    private final Tally tally;
    private final Model model;
    private final Stage stage;
    private @Nullable Rule lastEffect;

    Run(Script script, Tally tally) {
      this.script = script;
      this.tally = tally;
      this.model = new Model(script.config());
      this.stage = Stage.create(adapter, script.config(), script.clockStart(), Rule.BAD_2);
    }

    Optional<Difference> play(Asking asking) {
      return play(asking, () -> {});
    }

    /** Does something of which no account is taken before the last step. */
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
          tally.count(effect);
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

    void lookAtAll(String another) {
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
      tally.count(tool.equals(UNSEEN) ? Rule.REG_3 : expected.rule());
      if (question == Question.AVAILABLE) {
        tally.count(Rule.ORACLE_1);
      }
      Object seen = attempt(() -> question.ask(stage.subject(), tool));
      return Question.agree(expected.value(), seen)
          ? null
          : new Difference(step, effect, question, tool, expected, seen);
    }
  }

  /** What the subject answers, or else, in words, what it throws: never the right answer. */
  static Object attempt(Supplier<Object> call) {
    try {
      return call.get();
    } catch (RuntimeException | Error e) {
      return Departure.threw(e);
    }
  }
}

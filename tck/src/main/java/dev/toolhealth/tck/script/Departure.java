package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a subject departs from the rules. The message has everything that a reader needs: the
 * rule, the script, the question, the expected answer and the actual answer.
 */
public final class Departure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The order of departures in a report: the most helpful departure comes first. */
  public static final Comparator<Departure> MOST_TELLING_FIRST =
      Comparator.comparing(Departure::evidence)
          .thenComparingInt(Departure::steps)
          .thenComparing(Departure::rule)
          .thenComparingInt(departure -> departure.story.calls());

  /** The evidence that a departure contains about the mistake in the subject. */
  public enum Evidence {
    /** The script is minimal, and the subject breaks the rule that the departure names. */
    CAUSE,

    /** The answer is wrong, but the broken rule may be another than the departure names. */
    SYMPTOM,

    /** The answer is wrong because the subject breaks another, known rule. */
    CONSEQUENCE,

    /** The answer was seen in a race of several callers. A script with one caller explains more. */
    RACE
  }

  private final Rule rule;
  private final transient Story story;
  private final transient Finding finding;
  private final int steps;
  private final Evidence evidence;
  private final @Nullable Rule cause;

  /**
   * Creates a departure.
   *
   * @param rule the rule that the subject departs from
   * @param story the steps that led to the wrong answer
   * @param finding the wrong answer
   * @param evidence the evidence that the departure contains
   */
  public Departure(Rule rule, Story story, Finding finding, Evidence evidence) {
    this(rule, story, finding, evidence, null);
  }

  private Departure(
      Rule rule, Story story, Finding finding, Evidence evidence, @Nullable Rule cause) {
    super(
        rule
            + " "
            + rule.sentence()
            + "\n  "
            + String.join("\n  ", story.lines())
            + "\n  "
            + story.ending(finding)
            + (cause == null ? "" : "\n  because " + cause + " is broken"));
    this.rule = rule;
    this.story = story;
    this.finding = finding;
    this.steps = story.steps(); // computed once, because sorting reads the number many times
    this.evidence = evidence;
    this.cause = cause;
  }

  /** Returns a departure from another rule, with this departure's rule as the cause. */
  Departure asConsequence(Rule other) {
    return new Departure(other, story, finding, Evidence.CONSEQUENCE, rule);
  }

  /**
   * Describes an exception, with the place of the throw, to help the author of a subject find the
   * mistake.
   *
   * @param thrown the exception
   * @return such as {@code threw java.lang.IllegalStateException: closed, at
   *     com.example.My.ask(My.java:12)}
   */
  public static String threw(Throwable thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    return "threw " + thrown + (frames.length == 0 ? "" : ", at " + frames[0]);
  }

  /**
   * Returns the rule that the subject departs from.
   *
   * @return the rule
   */
  public Rule rule() {
    return rule;
  }

  /**
   * Returns the length of the script.
   *
   * @return the number of steps
   */
  public int steps() {
    return steps;
  }

  /**
   * Returns the steps that led to the wrong answer.
   *
   * @return the story
   */
  public Story story() {
    return story;
  }

  /**
   * Returns the wrong answer.
   *
   * @return the finding
   */
  public Finding finding() {
    return finding;
  }

  /**
   * Returns the kind of evidence.
   *
   * @return how likely the named rule is the broken rule
   */
  public Evidence evidence() {
    return evidence;
  }

  /**
   * Returns the other rule, if the subject departs from this rule because the other rule is broken.
   *
   * @return the rule, or null if this departure is not a known consequence
   */
  public @Nullable Rule cause() {
    return cause;
  }

  /**
   * Omits the stack trace: the message has all information, and the kit's own frames would only
   * hide the message.
   *
   * @return this
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

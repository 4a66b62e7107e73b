package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A subject did not do what the rules demand. The message tells the whole story: the rule, the
 * script, what was asked, expected and seen.
 */
public final class Departure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The order in which to show departures: what tells most about the fault comes first. */
  public static final Comparator<Departure> MOST_TELLING_FIRST =
      Comparator.comparing(Departure::evidence)
          .thenComparingInt(Departure::steps)
          .thenComparing(Departure::rule)
          .thenComparingInt(departure -> departure.story.calls());

  /** What a departure says about the fault behind it. */
  public enum Evidence {
    /** The script is minimal, and breaks the very rule that the departure is filed under. */
    CAUSE,

    /** What was seen is wrong, but nothing says whether this rule or another one is broken. */
    SYMPTOM,

    /** What was seen is wrong since another rule is broken. */
    CONSEQUENCE,

    /** Seen among several callers at once; what one caller can see says more. */
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
   * @param rule the rule that was broken
   * @param story what was done
   * @param finding what was wrong then
   * @param evidence what it says about the fault
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
            + (cause == null ? "" : "\n  since " + cause + " is broken"));
    this.rule = rule;
    this.story = story;
    this.finding = finding;
    this.steps = story.steps(); // kept, since sorting asks for it over and over
    this.evidence = evidence;
    this.cause = cause;
  }

  /** The same story, filed under a rule that could not be kept since this one is broken. */
  Departure asConsequence(Rule other) {
    return new Departure(other, story, finding, Evidence.CONSEQUENCE, rule);
  }

  /**
   * Tells of an exception, and where it comes from: the subject's own frames are what its author
   * looks for.
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
   * Says which rule was broken.
   *
   * @return the rule
   */
  public Rule rule() {
    return rule;
  }

  /**
   * Says how long the script is that shows it.
   *
   * @return the number of its steps
   */
  public int steps() {
    return steps;
  }

  /**
   * Says what was done.
   *
   * @return the story
   */
  public Story story() {
    return story;
  }

  /**
   * Says what was wrong then.
   *
   * @return the finding
   */
  public Finding finding() {
    return finding;
  }

  /**
   * Says what it tells about the fault.
   *
   * @return how far the rule can be taken for the one that is broken
   */
  public Evidence evidence() {
    return evidence;
  }

  /**
   * Says which other rule is broken, if this one could not be kept because of that.
   *
   * @return the rule, or null
   */
  public @Nullable Rule cause() {
    return cause;
  }

  /**
   * Leaves the stack out: the message is all there is to know, and the kit's own frames would only
   * hide it.
   *
   * @return this
   */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}

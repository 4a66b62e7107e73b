package dev.toolhealth.tck.script;

import dev.toolhealth.tck.spec.Rule;

/**
 * A subject did not do what the rules demand. The message tells the whole story: the rule, the
 * script, what was asked, expected and seen.
 */
public final class Departure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Rule rule;
  private final transient Story story;
  private final transient Finding finding;

  /**
   * Creates a departure.
   *
   * @param rule the rule that was broken
   * @param story what was done
   * @param finding what was wrong then
   */
  public Departure(Rule rule, Story story, Finding finding) {
    super(
        rule
            + " "
            + rule.sentence()
            + "\n  "
            + String.join("\n  ", story.lines())
            + "\n  "
            + finding);
    this.rule = rule;
    this.story = story;
    this.finding = finding;
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
    return story.steps();
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

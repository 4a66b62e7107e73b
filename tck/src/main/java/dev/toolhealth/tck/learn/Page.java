package dev.toolhealth.tck.learn;

import java.util.List;

/** What was learned, as Markdown. */
public final class Page {
  private Page() {}

  /**
   * Writes what was learned.
   *
   * @param subject the subject's name
   * @param config the configuration, in words
   * @param findings what was learned
   * @return the page
   */
  public static String of(String subject, String config, Findings findings) {
    String states = states(findings.learned().size());
    if (findings.same()) {
      return head(subject, config)
          + "It is the machine of the specification: "
          + states
          + ".\n\n"
          + Diagram.of(findings.learned());
    }
    return head(subject, config)
        + "It is not the machine of the specification. The shortest sequence of inputs on which"
        + " they differ:\n\n"
        + block(findings.difference())
        + "\n## What was learned: "
        + states
        + "\n\n"
        + Diagram.of(findings.learned())
        + "\n## What the rules demand: "
        + states(findings.specification().size())
        + "\n\n"
        + Diagram.of(findings.specification());
  }

  /**
   * Writes why nothing was learned.
   *
   * @param subject the subject's name
   * @param config the configuration, in words
   * @param reason why
   * @return the page
   */
  public static String of(String subject, String config, Unlearnable reason) {
    return head(subject, config) + reason.getMessage();
  }

  /**
   * Draws what was learned, and says nothing about it.
   *
   * @param findings what was learned
   * @return the picture in Mermaid, with its fences
   */
  public static String picture(Findings findings) {
    return Diagram.of(findings.learned());
  }

  private static String head(String subject, String config) {
    return "# The machine of "
        + subject
        + "\n\nWith "
        + config
        + ". It begins in the first state; inputs that change nothing are not drawn.\n\n";
  }

  private static String states(int number) {
    return number == 1 ? "1 state" : number + " states";
  }

  static String block(List<String> lines) {
    return "```\n" + String.join("\n", lines) + "\n```\n";
  }
}

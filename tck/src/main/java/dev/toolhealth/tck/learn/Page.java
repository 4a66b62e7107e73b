package dev.toolhealth.tck.learn;

import java.util.List;

/** The result of learning as a Markdown page. */
public final class Page {
  private Page() {}

  /**
   * Writes the page for a subject whose machine was learned.
   *
   * @param subject the subject's name
   * @param config the configuration, in words
   * @param findings the result of learning
   * @return the page
   */
  public static String of(String subject, String config, Findings findings) {
    String states = states(findings.learned().size());
    if (findings.same()) {
      return head(subject, config)
          + "The subject's machine is the machine of the specification: "
          + states
          + ".\n\n"
          + Diagram.of(findings.learned());
    }
    return head(subject, config)
        + "The subject's machine is not the machine of the specification. The shortest sequence of"
        + " inputs on which they differ:\n\n"
        + block(findings.difference())
        + "\n## The subject's machine: "
        + states
        + "\n\n"
        + Diagram.of(findings.learned())
        + "\n## The machine of the specification: "
        + states(findings.specification().size())
        + "\n\n"
        + Diagram.of(findings.specification());
  }

  /**
   * Writes the page for a subject that could not be learned.
   *
   * @param subject the subject's name
   * @param config the configuration, in words
   * @param reason the reason
   * @return the page
   */
  public static String of(String subject, String config, Unlearnable reason) {
    return head(subject, config) + reason.getMessage();
  }

  /**
   * Draws the learned machine, without any text around the drawing.
   *
   * @param findings the result of learning
   * @return the drawing as a fenced Mermaid block
   */
  public static String picture(Findings findings) {
    return Diagram.of(findings.learned());
  }

  private static String head(String subject, String config) {
    return "# The machine of "
        + subject
        + "\n\nWith "
        + config
        + ". The machine starts in the first state. Inputs that change nothing are not drawn.\n\n";
  }

  private static String states(int number) {
    return number == 1 ? "1 state" : number + " states";
  }

  static String block(List<String> lines) {
    return "```\n" + String.join("\n", lines) + "\n```\n";
  }
}

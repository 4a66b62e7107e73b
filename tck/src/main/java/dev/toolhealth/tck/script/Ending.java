package dev.toolhealth.tck.script;

/** The last line of a story: a wrong answer of the last step, or a wrong answer to a question. */
final class Ending {
  private Ending() {}

  /** Returns whether the wrong answer is the last step's own. */
  static boolean isAbout(String lastStep, Finding finding) {
    return finding.expected() != null
        && (finding.asked().equals(Finding.LAST_STEP) || finding.asked().equals(lastStep));
  }

  static String of(Finding finding, int step) {
    return finding.expected() == null
        ? finding.asked()
        : step == 0
            ? "then " + finding
            : "step %d: expected %s, saw %s".formatted(step, finding.expected(), finding.seen());
  }
}

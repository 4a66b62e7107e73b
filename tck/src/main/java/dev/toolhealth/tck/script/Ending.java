package dev.toolhealth.tck.script;

/** How a story with numbered steps ends: by a wrong answer of its last step, or to a question. */
final class Ending {
  private Ending() {}

  /** Whether it is the last step's own answer that was found to be wrong. */
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

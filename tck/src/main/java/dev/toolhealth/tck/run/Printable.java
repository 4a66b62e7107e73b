package dev.toolhealth.tck.run;

/** Text that subjects have a hand in: names and messages may hold any characters at all. */
final class Printable {
  private Printable() {}

  /**
   * Writes out what a document must not contain (control characters, halves of surrogate pairs) and
   * what would make it read otherwise than it is (marks that turn the direction of writing).
   */
  static String text(String any) {
    StringBuilder text = new StringBuilder(any.length());
    any.codePoints()
        .forEach(
            c -> {
              if (isPrintable(c)) {
                text.appendCodePoint(c);
              } else {
                text.append("\\u%04x".formatted(c));
              }
            });
    return text.toString();
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL -> c == '\n' || c == '\t';
      case Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}

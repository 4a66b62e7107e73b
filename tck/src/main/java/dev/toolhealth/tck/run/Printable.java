package dev.toolhealth.tck.run;

/** Static methods for text from subjects, whose names and messages may contain any characters. */
final class Printable {
  private Printable() {}

  /**
   * Escapes characters that a document must not contain (control characters, unpaired surrogates)
   * and characters that change how other text reads (marks of the writing direction).
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

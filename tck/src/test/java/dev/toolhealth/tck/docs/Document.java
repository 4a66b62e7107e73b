package dev.toolhealth.tck.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Markdown file of the project. */
record Document(String name, String text) {
  /** The project's root: tests run in the directory of their module. */
  private static final Path PROJECT = Path.of("..");

  private static final Pattern JAVA = Pattern.compile("^```java\\R(.*?)^```", fences());
  private static final Pattern OUTPUT = Pattern.compile("^```text\\R(.*?)^```", fences());
  private static final Pattern PICTURE = Pattern.compile("^(```mermaid\\R.*?^```\\R)", fences());
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");

  private static int fences() {
    return Pattern.MULTILINE | Pattern.DOTALL;
  }

  static List<Document> all() {
    try (Stream<Path> top = Files.list(PROJECT);
        Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .map(path -> of(PROJECT.relativize(path).toString()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Document of(String name) {
    try {
      return new Document(name, Files.readString(PROJECT.resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the Java code blocks. */
  List<String> snippets() {
    return find(JAVA);
  }

  /** The outputs of the code, block by block. */
  List<String> outputs() {
    return find(OUTPUT);
  }

  /** The Mermaid pictures, with their fences. */
  List<String> pictures() {
    return find(PICTURE);
  }

  /** The files of the project that this document links to. */
  List<Path> links() {
    Path directory = PROJECT.resolve(name).resolveSibling("");
    return find(LINK).stream()
        .filter(link -> !link.startsWith("https://"))
        .map(directory::resolve)
        .toList();
  }

  private List<String> find(Pattern pattern) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  @Override
  public String toString() {
    return name;
  }
}

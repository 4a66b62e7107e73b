package dev.toolhealth.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A piece of Java in a document: a whole source file with one class, or imports and statements that
 * can be pasted into {@code jshell} or a {@code main} method.
 */
record Snippet(Document document, String code) {
  private static final Pattern IMPORT = Pattern.compile("^import .*;\\R", Pattern.MULTILINE);
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern CLASS = Pattern.compile("^[\\w ]*class (\\w+)", Pattern.MULTILINE);

  static List<Snippet> all() {
    return Document.all().stream().flatMap(Snippet::of).toList();
  }

  private static Stream<Snippet> of(Document document) {
    return document.snippets().stream().map(code -> new Snippet(document, classOf(code)));
  }

  /** Puts statements into the main method of a class. */
  private static String classOf(String code) {
    if (CLASS.matcher(code).find()) {
      return code;
    }
    String imports =
        IMPORT.matcher(code).results().map(MatchResult::group).collect(Collectors.joining());
    return imports
        + "class Script {\n  public static void main(String[] args) throws Exception {\n"
        + IMPORT.matcher(code).replaceAll("")
        + "  }\n}\n";
  }

  static Snippet of(String document, String className) {
    return all().stream()
        .filter(s -> s.document.name().equals(document) && s.className().endsWith(className))
        .findFirst()
        .orElseThrow();
  }

  String className() {
    Matcher type = CLASS.matcher(code);
    assertThat(type.find()).as("there is a class in %s", code).isTrue();
    Matcher home = PACKAGE.matcher(code);
    return home.find() ? home.group(1) + "." + type.group(1) : type.group(1);
  }

  /** Compiles the snippets of the document without warnings, and loads this snippet. */
  Class<?> load(Path directory) throws IOException, ClassNotFoundException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options = List.of("--release", "17", "-Xlint:all", "-d", directory.toString());
    List<Source> sources =
        all().stream()
            .filter(s -> s.document.equals(document))
            .map(s -> new Source(s.className(), s.code))
            .toList();
    boolean compiled = compiler.getTask(messages, null, null, options, null, sources).call();
    assertThat(compiled && messages.toString().isEmpty())
        .as("%s: %s%n%s", document, messages, code)
        .isTrue();
    // Not closed, because the class may load other classes for as long as the test runs.
    URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
    return Class.forName(className(), true, loader);
  }

  @Override
  public String toString() {
    return document + " " + className();
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String code;

    Source(String className, String code) {
      super(
          URI.create("string:///" + className.replace('.', '/') + ".java"),
          JavaFileObject.Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return code;
    }
  }
}

package dev.toolhealth.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java code block of a document: a complete source file with a single class. */
record Snippet(Document document, String code) {
  private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
  private static final Pattern CLASS = Pattern.compile("^[\\w ]*class (\\w+)", Pattern.MULTILINE);

  static List<Snippet> all() {
    return Document.all().stream()
        .flatMap(document -> document.snippets().stream().map(code -> new Snippet(document, code)))
        .toList();
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

  /** Compiles all snippets of the document with warnings as errors, and loads this snippet. */
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
    // Not closed, because the class may load other classes until the test ends.
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

package dev.toolhealth.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/** A converter of results into the JSON that JMH writes with {@code -rf json}. */
final class Json {
  private Json() {}

  static String of(Collection<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
    return bytes.toString(UTF_8);
  }
}

package dev.toolhealth.tck.run;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamException;

/** Where the files of a report go. */
final class ReportDirectory {
  static final String PAGE = "index.html";

  /** Build servers look for files of such names. */
  static final String XML = "TEST-tool-health-tck.xml";

  private final Path directory;

  private ReportDirectory(Path directory) {
    this.directory = directory;
  }

  /**
   * Finds a directory, or makes it: before the run, which takes its time.
   *
   * @throws IllegalArgumentException if it cannot be written to
   */
  static ReportDirectory at(String path) {
    try {
      Path directory = Files.createDirectories(Path.of(path));
      if (!Files.isWritable(directory)) {
        throw new IllegalArgumentException("--report: cannot write into " + path);
      }
      return new ReportDirectory(directory);
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          "--report: " + path + " cannot be made a directory: " + e, e);
    }
  }

  void write(Report report) {
    try (Writer page = Files.newBufferedWriter(directory.resolve(PAGE));
        OutputStream xml = Files.newOutputStream(directory.resolve(XML))) {
      HtmlPage.write(report, page);
      JUnitXml.write(report, xml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (XMLStreamException e) {
      throw new IllegalStateException("the XML cannot be written", e);
    }
  }
}

package dev.toolhealth.tck.run;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import javax.xml.stream.XMLStreamException;

/** The directory for the files of a report. */
final class ReportDirectory {
  static final String PAGE = "index.html";

  /** The name follows the pattern that build servers look for. */
  static final String XML = "TEST-tool-health-tck.xml";

  private final Path directory;

  private ReportDirectory(Path directory) {
    this.directory = directory;
  }

  /**
   * Opens or creates a directory. Called before the run, so that a wrong path is reported at once.
   *
   * @throws IllegalArgumentException if the directory cannot be created or written to
   */
  static ReportDirectory at(String path) {
    try {
      Path directory = Files.createDirectories(Path.of(path));
      if (!Files.isWritable(directory)) {
        throw new IllegalArgumentException("--report: cannot write to " + path);
      }
      return new ReportDirectory(directory);
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException(
          "--report: cannot create the directory " + path + ": " + e, e);
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

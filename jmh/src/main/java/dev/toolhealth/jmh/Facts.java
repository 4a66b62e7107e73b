package dev.toolhealth.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The facts about a run that a reader needs to judge the figures. */
final class Facts {
  private static final Path CPUS = Path.of("/proc/cpuinfo");

  private Facts() {}

  /**
   * Collects the facts.
   *
   * @param written files that the comparison itself writes, whose changes do not count as dirty
   */
  static Map<String, String> collect(List<Path> written) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    facts.put("commit", commit(written));
    facts.put("processor", processor());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("system", property("os.name") + " " + property("os.arch"));
    facts.put("JVM", property("java.vm.name") + " " + property("java.runtime.version"));
    facts.put("JVM flags", flags());
    facts.put("collector", collectors());
    return facts;
  }

  private static String property(String key) {
    return System.getProperty(key, "unknown");
  }

  private static String processor() {
    if (Files.isReadable(CPUS)) {
      try (Stream<String> lines = Files.lines(CPUS)) {
        return lines
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse("unknown");
      } catch (IOException e) {
        return "unknown";
      }
    }
    return "unknown";
  }

  private static String flags() {
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    return flags.isEmpty() ? "default" : String.join(" ", flags);
  }

  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(", "));
  }

  private static String commit(List<Path> written) {
    String commit = git("rev-parse", "--short=12", "HEAD").strip();
    String root = git("rev-parse", "--show-toplevel").strip();
    if (commit.isEmpty() || root.isEmpty()) {
      return "unknown";
    }
    boolean dirty =
        git("status", "--porcelain", "--untracked-files=all")
            .lines()
            .map(line -> Path.of(root, line.substring(3).replace("\"", "")))
            .anyMatch(changed -> written.stream().noneMatch(changed::startsWith));
    return commit + (dirty ? ", with changes" : "");
  }

  /**
   * Returns the directory of the jar or the classes, because the user's working directory may
   * belong to another project.
   */
  private static File origin() {
    URL location = Facts.class.getProtectionDomain().getCodeSource().getLocation();
    File file = new File(URI.create(location.toString()));
    return file.isDirectory() ? file : file.getParentFile();
  }

  /** Runs git in that directory and returns the output, or an empty string on failure. */
  private static String git(String... arguments) {
    List<String> command = Stream.concat(Stream.of("git"), Stream.of(arguments)).toList();
    try {
      Process git =
          new ProcessBuilder(command)
              .directory(origin())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said = new String(git.getInputStream().readAllBytes(), UTF_8);
      return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? said : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}

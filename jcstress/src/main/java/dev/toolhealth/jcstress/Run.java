package dev.toolhealth.jcstress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/** One run of jcstress. */
final class Run {
  private static final int MOST_ACTORS = 3;

  private final Options options;
  private final JCStress jcstress;

  /**
   * Prepares a run.
   *
   * @param args the options of jcstress
   * @throws IllegalArgumentException if the options are invalid or select no race
   */
  Run(String... args) throws IOException {
    options = new Options(args);
    if (!options.parse()) {
      throw new IllegalArgumentException("invalid options: jcstress has printed the reason");
    }
    jcstress = new JCStress(options);
    if (jcstress.getTests().isEmpty()) {
      throw new IllegalArgumentException("no race matches " + options.getTestFilter());
    }
  }

  /**
   * Runs the races.
   *
   * @throws AssertionError if a race fails
   */
  void start() throws Exception {
    if (Runtime.getRuntime().availableProcessors() <= MOST_ACTORS) {
      disguiseCores();
    }
    jcstress.run();
  }

  /** Returns the selected races that have no result of the given kind. */
  SortedSet<String> racesWithout(Predicate<TestResult> such) throws Exception {
    SortedSet<String> races = jcstress.getTests();
    if (Files.exists(Path.of(options.getResultFile()))) {
      DiskReadCollector results =
          new DiskReadCollector(
              options.getResultFile(),
              result -> {
                if (such.test(result)) {
                  races.remove(result.getName());
                }
              });
      results.dump();
      results.close();
    }
    return races;
  }

  /**
   * Lets three actors share two cores. jcstress does not run a race that has more actors than the
   * operating system lists cores. On an unknown operating system it uses the JVM's processor count
   * instead, and {@code -XX:ActiveProcessorCount} sets that count.
   */
  private static void disguiseCores() throws Exception {
    // The JDK reads os.name as well, but only until it has started its first process.
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    new ProcessBuilder(java, "-version").start().waitFor();
    System.setProperty("os.name", "unknown");
  }
}

package dev.toolhealth.jmh;

import dev.toolhealth.jmh.report.Run;
import dev.toolhealth.jmh.report.Table;
import java.io.IOException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** JMH's command line, with a Markdown table after JMH's own output. */
public final class Main {
  private Main() {}

  /**
   * Runs the benchmarks.
   *
   * @param arguments JMH's options; {@code -h} lists them
   * @throws IOException if JMH cannot print a requested list
   * @throws RunnerException if no benchmark matches or a benchmark fails
   */
  public static void main(String[] arguments) throws IOException, RunnerException {
    try {
      CommandLineOptions options = new CommandLineOptions(arguments);
      if (asksOnly(options)) {
        org.openjdk.jmh.Main.main(arguments);
      } else {
        Options strict =
            new OptionsBuilder()
                .parent(options)
                .shouldFailOnError(options.shouldFailOnError().orElse(true))
                .build();
        System.out.print("\n" + Table.of(Run.of(Json.of(new Runner(strict).run()))));
      }
    } catch (CommandLineOptionException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static boolean asksOnly(CommandLineOptions options) {
    return options.shouldHelp()
        || options.shouldList()
        || options.shouldListWithParams()
        || options.shouldListProfilers()
        || options.shouldListResultFormats();
  }
}

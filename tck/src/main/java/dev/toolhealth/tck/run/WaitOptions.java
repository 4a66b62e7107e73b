package dev.toolhealth.tck.run;

import dev.toolhealth.tck.script.Waits;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of the command line that say how long to wait on the real clock. */
final class WaitOptions {
  static final List<String> NAMES = List.of("--wait-multiplier", "--patience", "--slack");

  @Option(
      names = "--wait-multiplier",
      paramLabel = "<factor>",
      defaultValue = "1",
      description =
          "Without MANUAL_CLOCK: scales all waits, and the durations of the subject"
              + " (default: ${DEFAULT-VALUE}).")
  private double multiplier;

  @Option(
      names = "--patience",
      paramLabel = "<ms>",
      defaultValue = "2000",
      description =
          "Without MANUAL_CLOCK: how long what is due may take to happen"
              + " (default: ${DEFAULT-VALUE}).")
  private long patience;

  @Option(
      names = "--slack",
      paramLabel = "<ms>",
      defaultValue = "20",
      description =
          "Without MANUAL_CLOCK: how long before it is due something must not happen; not less"
              + " than the tick of the subject's clock (default: ${DEFAULT-VALUE}).")
  private long slack;

  /**
   * Gives the settings.
   *
   * @throws IllegalArgumentException if one of them makes no sense
   */
  Waits waits() {
    return new Waits(multiplier, Duration.ofMillis(patience), Duration.ofMillis(slack));
  }
}

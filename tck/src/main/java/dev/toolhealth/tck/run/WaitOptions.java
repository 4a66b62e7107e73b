package dev.toolhealth.tck.run;

import dev.toolhealth.tck.script.Waits;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that set how long the kit waits on the real clock. */
final class WaitOptions {
  static final List<String> NAMES = List.of("--wait-multiplier", "--patience", "--slack");

  @Option(
      names = "--wait-multiplier",
      paramLabel = "<factor>",
      defaultValue = "1",
      description =
          "Without MANUAL_CLOCK: multiplies all waits and the durations in the subject's"
              + " configuration (default: ${DEFAULT-VALUE}).")
  private double multiplier;

  @Option(
      names = "--patience",
      paramLabel = "<ms>",
      defaultValue = "2000",
      description =
          "Without MANUAL_CLOCK: how late an expected change may be"
              + " (default: ${DEFAULT-VALUE}).")
  private long patience;

  @Option(
      names = "--slack",
      paramLabel = "<ms>",
      defaultValue = "20",
      description =
          "Without MANUAL_CLOCK: how early a change may be; at least one tick of the subject's"
              + " clock (default: ${DEFAULT-VALUE}).")
  private long slack;

  /**
   * Returns the settings.
   *
   * @throws IllegalArgumentException if a setting is out of range
   */
  Waits waits() {
    return new Waits(multiplier, Duration.ofMillis(patience), Duration.ofMillis(slack));
  }
}

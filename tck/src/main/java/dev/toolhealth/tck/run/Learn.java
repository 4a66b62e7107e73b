package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.learn.Findings;
import dev.toolhealth.tck.learn.Learner;
import dev.toolhealth.tck.learn.Page;
import dev.toolhealth.tck.learn.Unlearnable;
import dev.toolhealth.tck.process.ProcessAdapter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code learn} command, which learns and draws the state machine of a subject. */
@Command(
    name = "learn",
    description = {
      "Learns the state machine of an implementation and writes a page with a diagram of it,"
          + " in Markdown and Mermaid.",
      "Durations are in ticks of the clock. A tick is a nanosecond."
    },
    mixinStandardHelpOptions = true,
    version = Main.VERSION,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeOnExecutionException = 3,
    exitCodeList = {
      "0:the state machine is the one in the specification",
      "1:the state machine differs, or cannot be learned",
      "2:wrong options",
      "3:the kit failed, or the process started by --process failed"
    })
final class Learn implements Callable<Integer> {
  /** The largest value whose diagram is still readable. */
  private static final int LARGEST = 20;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SubjectOptions subject = new SubjectOptions();

  @Option(
      names = "--threshold",
      paramLabel = "<n>",
      defaultValue = "2",
      description = "The failure threshold (default: ${DEFAULT-VALUE}).")
  private int threshold;

  @Option(
      names = "--recovery",
      paramLabel = "<ticks>",
      defaultValue = "2",
      description = "The recovery duration (default: ${DEFAULT-VALUE}).")
  private int recovery;

  @Option(
      names = "--probe-timeout",
      paramLabel = "<ticks>",
      defaultValue = "1",
      description = "The probe timeout; 0 for none (default: ${DEFAULT-VALUE}).")
  private int probeTimeout;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "The file to write the page to (default: standard output).")
  private @Nullable Path output;

  Learn() {}

  @Override
  public Integer call() {
    Config config =
        new Config(
            small("--threshold", threshold),
            small("--recovery", recovery),
            small("--probe-timeout", probeTimeout));
    return subject.use((name, adapter) -> learn(name, adapter, config));
  }

  private int small(String option, int value) {
    if (value < 0 || value > LARGEST) {
      throw new ParameterException(
          spec.commandLine(), option + " must be 0 to " + LARGEST + ", but was " + value);
    }
    return value;
  }

  private int learn(String name, Adapter adapter, Config config) {
    if (!subject.usable(() -> Adapters.capabilities(adapter)).contains(Capability.MANUAL_CLOCK)) {
      throw new ParameterException(
          spec.commandLine(), name + " cannot be learned, because it does not claim MANUAL_CLOCK");
    }
    String words = words(config);
    boolean same = false;
    String page;
    try {
      Findings findings = new Learner(adapter, config).learn();
      same = findings.same();
      page = Page.of(name, words, findings);
    } catch (Unlearnable e) {
      page = Page.of(name, words, e);
    }
    ProcessAdapter.requireSound(adapter);
    write(page);
    return same ? 0 : 1;
  }

  private static String words(Config config) {
    return "threshold %d, recovery %s, probe timeout %s"
        .formatted(
            config.failureThreshold(),
            ticks(config.recoveryNanos()),
            config.probeTimeoutNanos() == 0 ? "none" : ticks(config.probeTimeoutNanos()));
  }

  private static String ticks(long number) {
    return number == 1 ? "1 tick" : number + " ticks";
  }

  private void write(String page) {
    if (output == null) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(page);
      out.flush();
      return;
    }
    try {
      Files.writeString(output, page);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "--output: cannot write " + e.getMessage());
    }
  }
}

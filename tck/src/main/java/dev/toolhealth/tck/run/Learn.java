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

/** The command that learns and draws a subject's state machine. */
@Command(
    name = "learn",
    description = {
      "Learns the state machine of an implementation and draws it, as Markdown with Mermaid.",
      "Durations are in ticks of the clock, which are nanoseconds."
    },
    mixinStandardHelpOptions = true,
    version = Main.VERSION,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeOnExecutionException = 3,
    exitCodeList = {
      "0:it is the machine of the specification",
      "1:it is another one, or none that can be learned",
      "2:bad usage",
      "3:the kit itself failed, or the process of --process did"
    })
final class Learn implements Callable<Integer> {
  /** Beyond this nobody can read the picture. */
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
      description = "The probe timeout, 0 for none (default: ${DEFAULT-VALUE}).")
  private int probeTimeout;

  @Option(
      names = "--output",
      paramLabel = "<file>",
      description = "Where to write the page (default: standard output).")
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
          spec.commandLine(), option + " " + value + ": must be 0 to " + LARGEST);
    }
    return value;
  }

  private int learn(String name, Adapter adapter, Config config) {
    if (!subject.usable(() -> Adapters.capabilities(adapter)).contains(Capability.MANUAL_CLOCK)) {
      throw new ParameterException(
          spec.commandLine(), name + " cannot be learned: it does not claim MANUAL_CLOCK");
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

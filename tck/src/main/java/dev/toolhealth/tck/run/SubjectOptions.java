package dev.toolhealth.tck.run;

import dev.toolhealth.tck.Adapter;
import dev.toolhealth.tck.Adapters;
import dev.toolhealth.tck.process.ProcessAdapter;
import dev.toolhealth.tck.process.ProcessFailure;
import java.io.PrintWriter;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select the subject. */
final class SubjectOptions {
  private static final String REFERENCE = "dev.toolhealth.tck.reference.ReferenceAdapter";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--subject",
      paramLabel = "<class>",
      defaultValue = REFERENCE,
      description = "The class name of your adapter (default: the bundled reference).")
  private String subject = REFERENCE;

  @Option(
      names = "--classpath",
      paramLabel = "<path>",
      defaultValue = "",
      description = "The jars and directories with your classes, separated as for java -cp.")
  private String classpath = "";

  @Option(
      names = "--process",
      paramLabel = "<command>",
      defaultValue = "",
      description =
          "Instead of --subject: starts this command and tests the process (docs/protocol.md).")
  private String process = "";

  /** An action on the subject. */
  interface Use {
    /** Performs the action and returns the exit code of the command. */
    int with(String name, Adapter adapter);
  }

  /** Passes the subject to an action, and ends its process afterwards if there is one. */
  int use(Use use) {
    return process.isEmpty() ? use.with(subject, subject()) : useProcess(use);
  }

  /** Returns the options that select the same subject again. */
  List<String> given() {
    List<String> options = new ArrayList<>();
    if (process.isEmpty()) {
      options.addAll(List.of("--subject", subject));
    } else {
      options.addAll(List.of("--process", process));
    }
    if (!classpath.isEmpty()) {
      options.addAll(List.of("--classpath", classpath));
    }
    return options;
  }

  private int useProcess(Use use) {
    try (ProcessAdapter adapter = process()) {
      return use.with(process, adapter);
    } catch (ProcessFailure e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(e.getMessage());
      err.flush();
      return 3;
    }
  }

  /** Turns an IllegalArgumentException into an error message about the options. */
  <T> T usable(Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Adapter subject() {
    return usable(
        // Never closed, because the subject may load classes until the end of the run.
        () -> Adapters.load(subject, new SubjectLoader(urls())));
  }

  private ProcessAdapter process() {
    for (String option : List.of("--subject", "--classpath")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(), "--process cannot be combined with " + option);
      }
    }
    return usable(() -> new ProcessAdapter(process));
  }

  private URL[] urls() {
    try {
      return Adapters.locations(classpath);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--classpath: " + e.getMessage(), e);
    }
  }
}

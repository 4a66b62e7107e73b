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

/** The options that say which subject it is about. */
final class SubjectOptions {
  private static final String REFERENCE = "dev.toolhealth.tck.reference.ReferenceAdapter";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--subject",
      paramLabel = "<class>",
      defaultValue = REFERENCE,
      description = "The adapter's class (default: the bundled reference).")
  private String subject = REFERENCE;

  @Option(
      names = "--classpath",
      paramLabel = "<path>",
      defaultValue = "",
      description = "Where to find that class: jars and directories, separated as for java -cp.")
  private String classpath = "";

  @Option(
      names = "--process",
      paramLabel = "<command>",
      defaultValue = "",
      description = "In place of a class: starts a process, and speaks to it (docs/protocol.md).")
  private String process = "";

  /** What is done with a subject. */
  interface Use {
    /** Returns the command's exit code. */
    int with(String name, Adapter adapter);
  }

  /** Finds the subject, or starts its process and ends it afterwards. */
  int use(Use use) {
    return process.isEmpty() ? use.with(subject, subject()) : useProcess(use);
  }

  /** The options that name the subject, to be given again. */
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

  /** Turns what is wrong with an argument into a message to whoever gave it. */
  <T> T usable(Supplier<T> making) {
    try {
      return making.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Adapter subject() {
    return usable(
        // Not closed: the subject may load classes until the very end.
        () -> Adapters.load(subject, new SubjectLoader(urls())));
  }

  private ProcessAdapter process() {
    for (String option : List.of("--subject", "--classpath")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(), "--process stands in place of " + option + ": give one of them");
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

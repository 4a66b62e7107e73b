package dev.toolhealth;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The events in a flight recording. Without a recording, each event costs one check of a flag. */
final class JfrEvents {
  private JfrEvents() {}

  static void emit(Transition transition) {
    if (Recorder.EXISTS) {
      TransitionEvent event = new TransitionEvent();
      event.tool = transition.tool();
      event.from = transition.from().name();
      event.to = transition.to().name();
      event.cause = transition.cause().name();
      event.commit();
    }
  }

  static void refused(String tool) {
    if (Recorder.EXISTS && RefusalEvent.ANY.isEnabled()) {
      RefusalEvent event = new RefusalEvent();
      event.tool = tool;
      event.commit();
    }
  }

  private static final class Recorder {
    /** A run-time image may lack the module. */
    static final boolean EXISTS = ModuleLayer.boot().findModule("jdk.jfr").isPresent();
  }

  @Name("dev.toolhealth.Transition")
  @Label("Circuit Breaker Transition")
  @Category("Tool Health")
  @StackTrace(false)
  static final class TransitionEvent extends Event {
    @Label("Tool")
    String tool = "";

    @Label("From")
    String from = "";

    @Label("To")
    String to = "";

    @Label("Cause")
    String cause = "";
  }

  @Name("dev.toolhealth.Refusal")
  @Label("Refused Call")
  @Category("Tool Health")
  @StackTrace(false)
  static final class RefusalEvent extends Event {
    /** An instance for asking if refusals are recorded, so that no event is created in vain. */
    static final RefusalEvent ANY = new RefusalEvent();

    @Label("Tool")
    String tool = "";
  }
}

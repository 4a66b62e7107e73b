package dev.toolhealth.jmh.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The subjects with a fixed place in the reports. */
final class Subjects {
  static final String REFERENCE = "Reference";

  /** The libraries that also keep statistics, as a subject has to. */
  static final List<String> MEASURING_PEERS = List.of("Resilience4j", "Failsafe", "Armeria");

  /** All libraries. Pekko's breaker counts only consecutive failures and keeps no statistics. */
  static final List<String> PEERS = List.of("Resilience4j", "Failsafe", "Armeria", "Pekko");

  private static final List<String> IN_ORDER =
      Stream.concat(Stream.of(REFERENCE, "Locking"), PEERS.stream()).toList();

  private Subjects() {}

  /** Returns all measured subjects: first those with a fixed place, then the others. */
  static List<String> of(Collection<Run> runs) {
    return runs.stream()
        .flatMap(run -> run.measurements().stream())
        .map(Measurement::subject)
        .filter(subject -> !subject.isEmpty())
        .distinct()
        .sorted(Comparator.comparingInt(Subjects::rank).thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private static int rank(String subject) {
    int index = IN_ORDER.indexOf(subject);
    return index < 0 ? IN_ORDER.size() : index;
  }
}

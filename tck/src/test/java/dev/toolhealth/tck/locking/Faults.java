package dev.toolhealth.tck.locking;

import java.util.List;
import java.util.stream.Stream;

/**
 * The catalogue of faulty implementations. Every rule has at least one, and the kit must catch them
 * all.
 */
public final class Faults {
  private Faults() {}

  /** Returns all faulty implementations. */
  public static List<Fault> all() {
    return Stream.of(
            StatisticsFaults.all(),
            ScoreFaults.all(),
            BreakerFaults.all(),
            LeaseFaults.all(),
            StaleFaults.all(),
            OracleFaults.all(),
            RegistryFaults.all(),
            RoutingFaults.all(),
            BadInputFaults.all(),
            ConcurrencyFaults.all(),
            PermitFaults.all(),
            LongRoadFaults.all(),
            NumberFaults.all(),
            FindingFaults.all())
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the faulty implementation with this description. */
  public static Fault of(String description) {
    return all().stream()
        .filter(fault -> fault.description().equals(description))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no faulty implementation is described as: " + description));
  }
}

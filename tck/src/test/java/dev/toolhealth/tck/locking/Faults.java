package dev.toolhealth.tck.locking;

import java.util.List;
import java.util.stream.Stream;

/** A catalogue of faults, at least one for each rule; the kit must catch every one. */
public final class Faults {
  private Faults() {}

  /** All faults. */
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

  /** The fault with this description. */
  public static Fault of(String description) {
    return all().stream()
        .filter(fault -> fault.description().equals(description))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no fault: " + description));
  }
}

package dev.toolhealth.jmh.report;

import java.util.List;
import java.util.OptionalDouble;

/** The limits that the reference implementation must meet, each with a stricter goal. */
final class Bars {
  private static final String HANDLE = "HANDLE";
  private static final String NAME = "NAME";

  /** The yardstick of absolute limits. */
  private static final Figure ONE = run -> OptionalDouble.of(1);

  static final List<Bar> ALL =
      List.of(
          new Bar(
              "success by handle, 1 thread",
              time("recordSuccess", HANDLE, 1),
              new Limit("1.10 × two atomic adds", 1.10, baseline("twoAtomicAdds")),
              new Limit("1.10 × one", 1.10, baseline("atomicAdd"))),
          new Bar(
              "success, 2 threads",
              time("recordSuccess", HANDLE, 2),
              new Limit("1.15 × its own with 1 thread", 1.15, time("recordSuccess", HANDLE, 1)),
              new Limit("1.05 ×", 1.05, time("recordSuccess", HANDLE, 1))),
          againstPeers("success, 2 threads", "recordSuccess", 2, 0.40, 0.25),
          againstPeers("10 % failures, 1 thread", "recordMixed", 1, 1.00, 0.70),
          againstPeers("10 % failures, 2 threads", "recordMixed", 2, 1.00, 0.60),
          new Bar(
              "gate CLOSED, by handle",
              time("allowRequestClosed", HANDLE, 1),
              new Limit("1.00 × the best of all peers", 1.00, anyPeer("allowRequestClosed")),
              new Limit("1.00 × an acquire read", 1.00, baseline("acquireReadByHandle"))),
          new Bar(
              "gate and success, by name",
              time("allowAndRecord", NAME, 1),
              new Limit("1.00 × the best peer by handle", 1.00, peers("allowAndRecord", 1)),
              new Limit("0.70 ×", 0.70, peers("allowAndRecord", 1))),
          new Bar(
              "refusal while OPEN",
              time("allowRequestRefused", HANDLE, 1),
              new Limit("a clock read and 5 ns", 1.00, plus(5, baseline("clockRead"))),
              new Limit("1.00 × a clock read", 1.00, baseline("clockRead"))),
          new Bar(
              "refusal while OPEN",
              time("allowRequestRefused", HANDLE, 1),
              new Limit("1.00 × the best of all peers", 1.00, anyPeer("allowRequestRefused")),
              new Limit("0.70 ×", 0.70, anyPeer("allowRequestRefused"))),
          allocation("success", "recordSuccess", 0),
          allocation("gate CLOSED", "allowRequestClosed", 0),
          allocation("refusal while OPEN", "allowRequestRefused", 0),
          allocation("failure", "recordFailure", 32),
          new Bar(
              "bytes of an idle tool, with its map entry",
              counted("weigh", "", "idle"),
              new Limit("256", 256, ONE),
              new Limit("160", 160, ONE)));

  private Bars() {}

  private static Bar againstPeers(
      String what, String operation, int threads, double limit, double goal) {
    return new Bar(
        what,
        time(operation, HANDLE, threads),
        new Limit(times(limit) + " the best peer", limit, peers(operation, threads)),
        new Limit(times(goal), goal, peers(operation, threads)));
  }

  private static Bar allocation(String what, String operation, double limit) {
    return new Bar(
        "bytes allocated by a " + what,
        counted(operation, HANDLE, Measurement.ALLOCATED),
        new Limit(MarkdownTable.number(limit, 0), limit, ONE),
        new Limit("0", 0, ONE));
  }

  private static String times(double factor) {
    return MarkdownTable.number(factor, 2) + " ×";
  }

  private static Figure time(String operation, String access, int threads) {
    return run ->
        run.find(operation, Subjects.REFERENCE, access, threads).stream()
            .filter(Measurement::asExpected)
            .mapToDouble(Measurement::median)
            .findFirst();
  }

  private static Figure counted(String operation, String access, String what) {
    return run ->
        run.measurements().stream()
            .filter(m -> m.operation().equals(operation) && m.access().equals(access))
            .filter(m -> m.subject().equals(Subjects.REFERENCE) && m.threads() == 1)
            .filter(m -> m.counted().containsKey(what) && !m.virtual())
            .mapToDouble(m -> m.counted().get(what))
            .findFirst();
  }

  private static Figure baseline(String operation) {
    return run -> run.baseline(operation, 1).stream().mapToDouble(Measurement::median).findFirst();
  }

  private static Figure peers(String operation, int threads) {
    return run -> run.best(Subjects.MEASURING_PEERS::contains, operation, HANDLE, threads);
  }

  private static Figure anyPeer(String operation) {
    return run -> run.best(Subjects.PEERS::contains, operation, HANDLE, 1);
  }

  private static Figure plus(double more, Figure figure) {
    return run -> figure.of(run).stream().map(value -> value + more).findFirst();
  }

  /** A number from a run, empty if the run has not measured it. */
  @FunctionalInterface
  interface Figure {
    OptionalDouble of(Run run);
  }

  /** A multiple of a figure. */
  record Limit(String text, double factor, Figure yardstick) {
    /** Returns whether the ratio is within the limit, both rounded to two decimals as printed. */
    boolean holds(Run run, double measured) {
      OptionalDouble against = yardstick.of(run);
      return against.isPresent()
          && Math.round(100 * measured / against.getAsDouble()) <= Math.round(100 * factor);
    }
  }

  /** One row of the table. */
  record Bar(String what, Figure measured, Limit limit, Limit goal) {
    /** Returns the verdict. The goal counts as met only together with the limit. */
    String verdict(Run run) {
      OptionalDouble value = measured.of(run);
      if (value.isEmpty() || limit.yardstick.of(run).isEmpty()) {
        return "not measured";
      }
      if (!limit.holds(run, value.getAsDouble())) {
        return "**no**";
      }
      return goal.holds(run, value.getAsDouble()) ? "yes, and the goal" : "yes";
    }

    String ratio(Run run) {
      OptionalDouble value = measured.of(run);
      OptionalDouble against = limit.yardstick.of(run);
      return value.isEmpty() || against.isEmpty() || limit.yardstick == ONE
          ? ""
          : MarkdownTable.number(value.getAsDouble() / against.getAsDouble(), 2);
    }
  }
}

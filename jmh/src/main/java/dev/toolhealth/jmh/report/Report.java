package dev.toolhealth.jmh.report;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The generated sections of the page. Each section shows all runs. */
final class Report {
  /** The operations and their titles, in the order of the tables. */
  static final Map<String, String> OPERATIONS = operations();

  private static final String HANDLE = "HANDLE";
  private static final String NAME = "NAME";

  /** Marks the figures of subjects that gave unexpected answers. */
  private static final String OTHERWISE = " †";

  private final List<Run> runs;
  private final List<String> subjects;

  Report(List<Run> runs) {
    this.runs = runs;
    this.subjects = Subjects.of(runs);
  }

  private static Map<String, String> operations() {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put("recordSuccess", "success");
    titles.put("recordMixed", "10 % failures");
    titles.put("recordFailure", "failure");
    titles.put("allowRequestClosed", "gate CLOSED");
    titles.put("allowRequestRefused", "gate OPEN");
    titles.put("recordFailureWhileOpen", "failure while OPEN");
    titles.put("allowAndRecord", "gate and success");
    titles.put("allowAndRecordMixed", "gate and 10 % failures");
    titles.put("allowAndRecordOneOfMany", "gate and success, 1 of 1 000 tools");
    return titles;
  }

  /** Returns all sections, by name. */
  Map<String, String> sections() {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("runs", facts());
    sections.put("bars", bars());
    sections.put("one thread", operations(1));
    sections.put("two threads", operations(2));
    sections.put("fairness", fairness());
    sections.put("baselines", baselines());
    sections.put("guarded", guarded());
    sections.put("bodies", bodies());
    sections.put("memory", memory());
    sections.put("further", further());
    sections.put("everything", everything());
    return sections;
  }

  private String facts() {
    MarkdownTable table = new MarkdownTable(1 + runs.size(), withRuns("", run -> run.label()));
    Set<String> known = new LinkedHashSet<>();
    runs.forEach(run -> known.addAll(run.facts().keySet()));
    for (String fact : known) {
      table.row(withRuns(fact, run -> run.facts().getOrDefault(fact, "not recorded")));
    }
    return table.toString();
  }

  private List<String> withRuns(String first, Function<Run, String> cell) {
    return Stream.concat(Stream.of(first), runs.stream().map(cell)).toList();
  }

  /** Returns the runs that have figures for a table, because a run may contain only some parts. */
  private List<Run> runsWith(Predicate<Run> something) {
    return runs.stream().filter(something).toList();
  }

  private String bars() {
    List<String> head = new ArrayList<>(List.of("", "limit", "goal"));
    List<Run> shown =
        runsWith(run -> Bars.ALL.stream().anyMatch(bar -> bar.measured().of(run).isPresent()));
    for (Run run : shown) {
      head.addAll(List.of(run.label(), "ratio", "met"));
    }
    MarkdownTable table = new MarkdownTable(3, head);
    for (Bars.Bar bar : Bars.ALL) {
      List<String> cells =
          new ArrayList<>(List.of(bar.what(), bar.limit().text(), bar.goal().text()));
      for (Run run : shown) {
        OptionalDouble measured = bar.measured().of(run);
        cells.add(measured.isPresent() ? MarkdownTable.number(measured.getAsDouble()) : "");
        cells.add(bar.ratio(run));
        cells.add(bar.verdict(run));
      }
      table.row(cells);
    }
    return table.toString();
  }

  /** Medians with the lowest and highest fork, and the ratios of the reference implementation. */
  private String operations(int threads) {
    List<String> head = new ArrayList<>(List.of("ns per call", "run"));
    head.addAll(subjects);
    head.addAll(List.of("× two adds", "× best peer"));
    MarkdownTable table = new MarkdownTable(2, head);
    for (String access : List.of(HANDLE, NAME)) {
      for (Map.Entry<String, String> operation : OPERATIONS.entrySet()) {
        for (Run run : runs) {
          List<String> figures =
              subjects.stream()
                  .map(s -> run.find(operation.getKey(), s, access, threads))
                  .map(found -> found.map(Report::withSpread).orElse(""))
                  .toList();
          if (figures.stream().allMatch(String::isEmpty)) {
            continue;
          }
          List<String> cells = new ArrayList<>();
          cells.add(operation.getValue() + (access.equals(NAME) ? ", by name" : ""));
          cells.add(run.label());
          cells.addAll(figures);
          cells.addAll(ratios(run, operation.getKey(), access, threads));
          table.row(cells);
        }
      }
    }
    return table + notes(threads);
  }

  private static String withSpread(Measurement m) {
    return MarkdownTable.number(m.median())
        + (m.forks().size() == 1
            ? ""
            : " (%s–%s)"
                .formatted(MarkdownTable.number(m.lowest()), MarkdownTable.number(m.highest())))
        + (m.asExpected() ? "" : OTHERWISE);
  }

  private static List<String> ratios(Run run, String operation, String access, int threads) {
    Optional<Measurement> reference = run.find(operation, Subjects.REFERENCE, access, threads);
    OptionalDouble peers = run.best(Subjects.MEASURING_PEERS::contains, operation, access, threads);
    return List.of(
        ratio(reference, run.baseline("twoAtomicAdds", threads).map(Measurement::median)),
        ratio(reference, peers.isPresent() ? Optional.of(peers.getAsDouble()) : Optional.empty()));
  }

  private static String ratio(Optional<Measurement> measured, Optional<Double> yardstick) {
    return measured
        .flatMap(m -> yardstick.map(y -> MarkdownTable.number(m.median() / y, 2)))
        .orElse("");
  }

  private String notes(int threads) {
    boolean otherwise =
        runs.stream().flatMap(Run::times).anyMatch(m -> m.threads() == threads && !m.asExpected());
    return otherwise
        ? "\n† This subject gave unexpected answers, so the figure is not of what the row names."
            + " The last column under \"Everything\" counts those answers.\n"
        : "";
  }

  /** The slowest thread's share of the calls, and the 99.9th percentile. */
  private String fairness() {
    List<String> head = new ArrayList<>(List.of("slowest thread; 99.9th percentile, ns", "run"));
    head.addAll(subjects);
    MarkdownTable table = new MarkdownTable(2, head);
    for (Map.Entry<String, String> operation : OPERATIONS.entrySet()) {
      for (Run run : runs) {
        List<String> cells = new ArrayList<>(List.of(operation.getValue(), run.label()));
        subjects.forEach(subject -> cells.add(fairness(run, operation.getKey(), subject)));
        if (cells.stream().skip(2).anyMatch(cell -> !cell.isEmpty())) {
          table.row(cells);
        }
      }
    }
    return table.toString();
  }

  private static String fairness(Run run, String operation, String subject) {
    String share =
        run.find(operation, subject, HANDLE, 2)
            .map(m -> m.counted().get("slowestThread"))
            .map(percent -> MarkdownTable.number(percent, 0) + " %")
            .orElse("");
    String percentile =
        run.measurements().stream()
            .filter(m -> m.mode().equals(Measurement.SAMPLE) && m.threads() == 2 && !m.virtual())
            .filter(m -> m.operation().equals(operation) && m.access().equals(HANDLE))
            .filter(m -> m.subject().equals(subject))
            .map(m -> MarkdownTable.number(m.slowestOfThousand(), 0))
            .findFirst()
            .orElse("");
    return Stream.of(share, percentile).filter(s -> !s.isEmpty()).collect(joining("; "));
  }

  private String baselines() {
    List<String> head = new ArrayList<>(List.of("ns"));
    List<Run> shown = runsWith(run -> run.times().anyMatch(Report::isBaseline));
    for (Run run : shown) {
      head.addAll(List.of(run.label() + ", 1 thread", run.label() + ", 2 threads"));
    }
    MarkdownTable table = new MarkdownTable(1, head);
    runs.stream()
        .flatMap(Run::times)
        .filter(Report::isBaseline)
        .map(Measurement::operation)
        .distinct()
        .sorted()
        .forEach(
            operation -> {
              List<String> cells = new ArrayList<>(List.of(operation));
              for (Run run : shown) {
                for (int threads : List.of(1, 2)) {
                  cells.add(run.baseline(operation, threads).map(Report::withSpread).orElse(""));
                }
              }
              table.row(cells);
            });
    return table.toString();
  }

  private static boolean isBaseline(Measurement measurement) {
    return measurement.benchmark().startsWith("Baselines.");
  }

  /** Complete calls of the reference implementation, by permit and by dispatcher. */
  private String guarded() {
    if (runs.stream().flatMap(run -> guarded(run, 1)).findAny().isEmpty()) {
      return "These runs do not contain permits and the dispatcher: run `--part guarded`.\n";
    }
    MarkdownTable table =
        new MarkdownTable(2, List.of("ns per call", "run", "1 thread", "bytes", "2 threads"));
    for (Run run : runs) {
      guarded(run, 1)
          .forEach(
              alone -> {
                Optional<Measurement> shared =
                    guarded(run, 2)
                        .filter(m -> m.operation().equals(alone.operation()))
                        .findFirst();
                table.row(
                    List.of(
                        alone.operation(),
                        run.label(),
                        withSpread(alone),
                        MarkdownTable.number(
                            alone.counted().getOrDefault(Measurement.ALLOCATED, Double.NaN), 0),
                        shared.map(Report::withSpread).orElse("")));
              });
    }
    return table.toString();
  }

  private static Stream<Measurement> guarded(Run run, int threads) {
    return run.times().filter(m -> m.benchmark().startsWith("Guarded.") && m.threads() == threads);
  }

  /** Calls of tools that do some work, beside the same work without a breaker. */
  private String bodies() {
    Set<String> ways = new LinkedHashSet<>();
    everyCall().forEach(m -> ways.add(m.subject() + " by " + m.access()));
    List<String> head = new ArrayList<>(List.of("body, µs", "run", "alone, ns", "timed, ns"));
    ways.forEach(way -> head.addAll(List.of(way, "overhead")));
    MarkdownTable table = new MarkdownTable(2, head);
    for (String micros : List.of("0", "1", "10", "100")) {
      for (Run run : runs) {
        Optional<Measurement> body = body(run, "body", micros);
        Optional<Measurement> timed = body(run, "timedBody", micros);
        if (body.isEmpty() || timed.isEmpty()) {
          continue;
        }
        List<String> cells = new ArrayList<>(List.of(micros, run.label()));
        cells.add(withSpread(body.get()));
        cells.add(withSpread(timed.get()));
        for (String way : ways) {
          Optional<Measurement> call =
              calls(run)
                  .filter(m -> micros.equals(m.params().get("micros")))
                  .filter(m -> way.equals(m.subject() + " by " + m.access()))
                  .findFirst();
          cells.add(call.map(Report::withSpread).orElse(""));
          cells.add(call.map(m -> overhead(m, timed.get())).orElse(""));
        }
        table.row(cells);
      }
    }
    return table.toString();
  }

  private static String overhead(Measurement call, Measurement without) {
    return MarkdownTable.number(100 * (call.median() / without.median() - 1), 1) + " %";
  }

  private Stream<Measurement> everyCall() {
    return runs.stream().flatMap(Report::calls);
  }

  private static Stream<Measurement> calls(Run run) {
    return run.times().filter(m -> m.operation().equals("call") && m.threads() == 1);
  }

  private static Optional<Measurement> body(Run run, String operation, String micros) {
    return run.times()
        .filter(m -> m.operation().equals(operation))
        .filter(m -> micros.equals(m.params().get("micros")))
        .findFirst();
  }

  private String memory() {
    MarkdownTable table =
        new MarkdownTable(
            2,
            List.of(
                "bytes per tool",
                "run",
                "idle",
                "idle, trips at 100",
                "contended",
                "among many",
                "first call, ns"));
    for (String subject : subjects) {
      for (Run run : runs) {
        Optional<Measurement> weighed = single(run, "weigh", subject);
        Optional<Measurement> many = single(run, "firstSightsWeighed", subject);
        Optional<Measurement> sight = single(run, "firstSights", subject);
        if (weighed.isEmpty() && many.isEmpty() && sight.isEmpty()) {
          continue;
        }
        table.row(
            List.of(
                subject,
                run.label(),
                bytes(weighed, "idle"),
                bytes(weighed, "idleOfHundred"),
                bytes(weighed, "contended"),
                many.map(m -> bytes(many, "bytesPerTool") + " of " + m.params().get("tools"))
                    .orElse(""),
                sight.map(Report::nanosPerTool).orElse("")));
      }
    }
    return table.toString();
  }

  private static Optional<Measurement> single(Run run, String operation, String subject) {
    return run.measurements().stream()
        .filter(m -> m.operation().equals(operation) && m.subject().equals(subject))
        .findFirst();
  }

  private static String bytes(Optional<Measurement> measurement, String what) {
    return measurement
        .map(m -> m.counted().get(what))
        .map(bytes -> MarkdownTable.number(bytes, 0))
        .orElse("");
  }

  private static String nanosPerTool(Measurement firstSights) {
    double millis = firstSights.median();
    double tools = Double.parseDouble(firstSights.params().getOrDefault("tools", "NaN"));
    return MarkdownTable.number(millis * 1_000_000 / tools, 0);
  }

  /** Figures without a table of their own. */
  private String further() {
    MarkdownTable table =
        new MarkdownTable(5, List.of("", "subject", "access", "threads", "run", "ns"));
    for (Run run : runs) {
      run.measurements().stream()
          .filter(m -> m.mode().equals("avgt"))
          .filter(m -> m.virtual() || m.benchmark().startsWith("SummaryBesideWriter."))
          .forEach(
              m ->
                  table.row(
                      List.of(
                          m.operation(),
                          m.subject(),
                          m.access(),
                          m.threads() + (m.virtual() ? " virtual" : ""),
                          run.label(),
                          withSpread(m))));
    }
    return table.toString();
  }

  private String everything() {
    return runs.stream()
        .map(
            run ->
                "<details>\n<summary>%s</summary>\n\n%s\n</details>\n"
                    .formatted(run.label(), Table.of(run)))
        .collect(joining("\n"));
  }
}

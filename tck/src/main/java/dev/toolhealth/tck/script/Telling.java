package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Model;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Writes down what is done to a subject, so that it can be told if something goes wrong. */
final class Telling {
  /** More breakers side by side than these could not be read. */
  private static final int MAX_BREAKERS = 3;

  /** Nor could a drawing of more steps than these, even if many of them are alike. */
  private static final int MAX_DRAWN = 5_000;

  private final Config config;
  private final long clockStart;
  private final List<Deed> deeds = new ArrayList<>();

  /** A step, what the subject answered, and how often, one after the other. */
  private record Deed(Step step, Object answer, int times) {}

  Telling(Config config, long clockStart) {
    this.config = config;
    this.clockStart = clockStart;
  }

  /** Tells a script whose answers are the right ones, but for the last. */
  static Story of(Script script, Object lastAnswer) {
    Telling telling = new Telling(script.config(), script.clockStart());
    Walk walk = new Walk(script.config(), List.of());
    int left = script.steps().size();
    for (Step step : script.steps()) {
      walk.take(step);
      left--;
      telling.add(step, left == 0 ? lastAnswer : walk.lastAnswer());
    }
    return telling.story();
  }

  /** Tells that there was nothing but a configuration. */
  static Story of(Config config) {
    return new Telling(config, 0).story();
  }

  void add(Step step, Object answer) {
    add(new Deed(step, answer, 1));
  }

  /** Adds a step that was done over and over. */
  void add(Step step, int times) {
    add(new Deed(step, Step.DONE, times));
  }

  private void add(Deed deed) {
    boolean nothing = deed.step() instanceof Step.Advance advance && advance.nanos() == 0;
    if (!nothing) {
      deeds.add(deed);
    }
  }

  int steps() {
    return deeds.stream().mapToInt(Deed::times).sum();
  }

  private Stream<Deed> all() {
    return deeds.stream().flatMap(deed -> Collections.nCopies(deed.times(), deed).stream());
  }

  /** What was done, to be done again. */
  Script script() {
    return new Script(config, clockStart, all().map(Deed::step).toList());
  }

  Story story() {
    return steps() > MAX_DRAWN ? listed() : played();
  }

  private Story listed() {
    List<String> once = new ArrayList<>();
    List<String> again = new ArrayList<>();
    long now = 0;
    for (Deed deed : all().toList()) {
      now += deed.step() instanceof Step.Advance advance ? advance.nanos() : 0;
      String what = what(deed.step(), now);
      once.add(what);
      again.add(deed.step() instanceof Step.Advance ? Words.clockAgain(what) : what);
    }
    List<String> lines = new ArrayList<>(List.of(setting()));
    lines.addAll(Fold.lines(once, again));
    return new Story.Listed(lines);
  }

  private static String what(Step step, long now) {
    return step instanceof Step.Advance advance
        ? Words.clock(now, advance.nanos())
        : step.toString();
  }

  private Story played() {
    Collection<String> tools = lastTools();
    Walk walk = new Walk(config, List.of());
    List<Story.Breaker> start = breakers(walk, tools);
    List<Story.Event> events = new ArrayList<>();
    for (Deed deed : all().toList()) {
      walk.take(deed.step());
      events.add(
          new Story.Event(
              what(deed.step(), walk.now()),
              deed.answer().equals(Step.DONE) ? "" : deed.answer().toString(),
              deed.step() instanceof Step.Advance,
              Words.instant(walk.now()),
              breakers(walk, tools)));
    }
    return new Story.Played(setting(), start, events);
  }

  private String setting() {
    return "with "
        + Words.config(config)
        + (clockStart == 0 ? "" : ", on a clock that starts at " + clockStart + " ns");
  }

  /** The tools that the end of the story is about, in the order in which they appear. */
  private List<String> lastTools() {
    Set<String> last = new LinkedHashSet<>();
    for (int i = deeds.size() - 1; i >= 0 && last.size() < MAX_BREAKERS; i--) {
      last.addAll(deeds.get(i).step().tools());
    }
    Set<String> inOrder = new LinkedHashSet<>();
    deeds.forEach(deed -> inOrder.addAll(deed.step().tools()));
    inOrder.retainAll(last);
    return List.copyOf(inOrder);
  }

  private static List<Story.Breaker> breakers(Walk walk, Collection<String> tools) {
    return tools.stream().map(tool -> breaker(walk.model(), tool, walk.now())).toList();
  }

  private static Story.Breaker breaker(Model model, String tool, long now) {
    var state = model.circuitState(tool, now).value();
    long boundary = model.nextBoundary(tool, now);
    String detail =
        switch (state) {
          case CLOSED -> failures(model.consecutiveFailures(tool).value());
          case OPEN ->
              boundary == now
                  ? "cooldown over, the next call is the probe"
                  : boundary == Long.MAX_VALUE
                      ? "cooldown never ends"
                      : "cooldown ends at " + Words.instant(boundary);
          case HALF_OPEN ->
              boundary == now || boundary == Long.MAX_VALUE
                  ? "probe is out"
                  : "probe is out, its lease ends at " + Words.instant(boundary);
        };
    return new Story.Breaker(Words.name(tool), state, detail);
  }

  private static String failures(long inARow) {
    return inARow == 0 ? "" : inARow == 1 ? "1 failure" : inARow + " failures in a row";
  }
}

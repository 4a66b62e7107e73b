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

/** A recorder of steps and answers, which turns them into a story if something goes wrong. */
final class StoryRecorder {
  /** The limit of breakers side by side. More of them would be hard to read. */
  private static final int MAX_BREAKERS = 3;

  /** The limit of steps in a drawing. More of them would be hard to read even if many are alike. */
  private static final int MAX_DRAWN = 5_000;

  private final Config config;
  private final long clockStart;
  private final List<RecordedStep> recorded = new ArrayList<>();

  /** A step, the subject's answer, and the number of repetitions in a row. */
  private record RecordedStep(Step step, Object answer, int times) {}

  StoryRecorder(Config config, long clockStart) {
    this.config = config;
    this.clockStart = clockStart;
  }

  /** Returns the story of a script in which only the last answer may be wrong. */
  static Story of(Script script, Object lastAnswer) {
    StoryRecorder recorder = new StoryRecorder(script.config(), script.clockStart());
    Walk walk = new Walk(script.config(), List.of());
    int left = script.steps().size();
    for (Step step : script.steps()) {
      walk.take(step);
      left--;
      recorder.add(step, left == 0 ? lastAnswer : walk.lastAnswer());
    }
    return recorder.story();
  }

  /** Returns a story without steps. */
  static Story of(Config config) {
    return new StoryRecorder(config, 0).story();
  }

  void add(Step step, Object answer) {
    add(new RecordedStep(step, answer, 1));
  }

  /** Adds a step that was repeated. */
  void add(Step step, int times) {
    add(new RecordedStep(step, Step.DONE, times));
  }

  private void add(RecordedStep done) {
    boolean nothing = done.step() instanceof Step.Advance advance && advance.nanos() == 0;
    if (!nothing) {
      recorded.add(done);
    }
  }

  int steps() {
    return recorded.stream().mapToInt(RecordedStep::times).sum();
  }

  private Stream<RecordedStep> all() {
    return recorded.stream().flatMap(done -> Collections.nCopies(done.times(), done).stream());
  }

  /** Returns the steps so far as a script, for a replay. */
  Script script() {
    return new Script(config, clockStart, all().map(RecordedStep::step).toList());
  }

  Story story() {
    return steps() > MAX_DRAWN ? listed() : played();
  }

  private Story listed() {
    List<String> once = new ArrayList<>();
    List<String> again = new ArrayList<>();
    long now = 0;
    for (RecordedStep done : all().toList()) {
      now += done.step() instanceof Step.Advance advance ? advance.nanos() : 0;
      String what = what(done.step(), now);
      once.add(what);
      again.add(done.step() instanceof Step.Advance ? Words.clockAgain(what) : what);
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
    for (RecordedStep done : all().toList()) {
      walk.take(done.step());
      events.add(
          new Story.Event(
              what(done.step(), walk.now()),
              done.answer().equals(Step.DONE) ? "" : done.answer().toString(),
              done.step() instanceof Step.Advance,
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

  /** Returns the tools of the last steps, in the order of their first appearance. */
  private List<String> lastTools() {
    Set<String> last = new LinkedHashSet<>();
    for (int i = recorded.size() - 1; i >= 0 && last.size() < MAX_BREAKERS; i--) {
      last.addAll(recorded.get(i).step().tools());
    }
    Set<String> inOrder = new LinkedHashSet<>();
    recorded.forEach(done -> inOrder.addAll(done.step().tools()));
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
                  ? "probe running"
                  : "probe running, lease ends at " + Words.instant(boundary);
        };
    return new Story.Breaker(Words.name(tool), state, detail);
  }

  private static String failures(long inARow) {
    return inARow == 0 ? "" : inARow == 1 ? "1 failure" : inARow + " failures in a row";
  }
}

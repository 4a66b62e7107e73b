package dev.toolhealth.tck.rules;

import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.Subject;
import dev.toolhealth.tck.script.ManualClock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A race with a fixed schedule: the clock holds the first caller while the second caller acts and
 * sets the clock.
 */
final class Meeting {
  private static final int ROUNDS = 4;

  private final String story;
  private final Config config;
  private BiConsumer<Subject, ManualClock> before = (subject, clock) -> {};
  private Function<Subject, String> asking = subject -> "";
  private BiFunction<Subject, ManualClock, String> meanwhile = (subject, clock) -> "";
  private Function<Subject, String> after = subject -> "";

  Meeting(String story, Config config) {
    this.story = story;
    this.config = config;
  }

  Meeting before(Consumer<Subject> action, long then) {
    before =
        before.andThen(
            (subject, clock) -> {
              action.accept(subject);
              clock.setElapsed(then);
            });
    return this;
  }

  Meeting asking(Function<Subject, String> action) {
    asking = action;
    return this;
  }

  Meeting meanwhile(Function<Subject, String> action, long then) {
    meanwhile =
        (subject, clock) -> {
          String seen = action.apply(subject);
          clock.setElapsed(then);
          return seen;
        };
    return this;
  }

  Meeting after(Function<Subject, String> look) {
    after = look;
    return this;
  }

  void expect(Bench bench, Set<String> legal) {
    try (Callers callers = bench.callers(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        ManualClock clock = new ManualClock(0);
        LateAnswer late = new LateAnswer(clock);
        Subject subject = bench.adapter().create(config, late);
        before.accept(subject, clock);
        List<String> seen =
            callers.all(
                story,
                caller ->
                    () ->
                        caller == 0
                            ? late.ask(() -> asking.apply(subject))
                            : late.meanwhile(() -> meanwhile.apply(subject, clock)));
        String outcome =
            Stream.of(seen.get(0), seen.get(1), after.apply(subject))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        bench.expect(
            story, "the answers", legal.contains(outcome) ? outcome : "one of " + legal, outcome);
      }
    }
  }

  /**
   * A clock for delaying the first caller until the second has acted. The delay is limited, because
   * the second may need a lock of the first.
   */
  private static final class LateAnswer implements LongSupplier {
    private static final long LONGEST_NANOS = 10_000_000;

    private final ManualClock clock;
    private final AtomicBoolean isAsked = new AtomicBoolean();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile @Nullable Thread asking;

    LateAnswer(ManualClock clock) {
      this.clock = clock;
    }

    String ask(Supplier<String> question) {
      asking = Thread.currentThread();
      String answer = question.get();
      isAsked.set(true); // in case the call never reads the clock
      return answer;
    }

    String meanwhile(Supplier<String> action) throws InterruptedException {
      Callers.await(isAsked::get);
      String answer = action.get();
      isOver.set(true);
      return answer;
    }

    @Override
    public long getAsLong() {
      if (Thread.currentThread() == asking) {
        isAsked.set(true);
        long begin = System.nanoTime();
        while (!isOver.get() && System.nanoTime() - begin < LONGEST_NANOS) {
          Thread.onSpinWait();
        }
      }
      return clock.getAsLong();
    }
  }
}

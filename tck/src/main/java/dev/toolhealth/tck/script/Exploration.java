package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Model;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;

/**
 * Random scripts: operations, jumps to the instants that tell, several tools, all kinds of
 * configuration.
 */
public final class Exploration {
  private static final int MAX_STEPS = 40;

  /** Beyond this the clock is not moved, so that the model's time stays a {@code long}. */
  private static final long END_OF_TIME = 1L << 61;

  private final Examination examination;

  private Exploration(Examination examination) {
    this.examination = examination;
  }

  /**
   * Plays random scripts.
   *
   * @param examination where to play them
   * @param seed determines the scripts
   * @param scripts how many to play
   */
  public static void play(Examination examination, long seed, int scripts) {
    Exploration exploration = new Exploration(examination);
    if (JqwikSession.isActive()) {
      exploration.explore(seed, scripts);
    } else {
      JqwikSession.run(() -> exploration.explore(seed, scripts));
    }
  }

  private void explore(long seed, int scripts) {
    RandomGenerator<Script> generator = scripts(examination.capabilities()).generator(scripts);
    Random random = new Random(seed);
    for (int i = 0; i < scripts && !examination.isOver(); i++) {
      Shrinkable<Script> script = generator.next(random);
      examination.play(script.value(), whole -> shrink(script));
    }
  }

  /** Goes to a smaller script that still differs for as long as there is one. */
  private Script shrink(Shrinkable<Script> script) {
    Iterator<Shrinkable<Script>> smaller = script.shrink().iterator();
    while (smaller.hasNext()) {
      Shrinkable<Script> next = smaller.next();
      if (examination.stillDiffers(next.value())) {
        return shrink(next);
      }
    }
    return script.value();
  }

  // Each list begins with what is simplest: shrinking goes towards the front.

  /**
   * Generates scripts.
   *
   * @param capabilities what the subject offers; nothing else is asked of it
   * @return the scripts
   */
  static Arbitrary<Script> scripts(Set<Capability> capabilities) {
    return Combinators.combine(
            configs(),
            Arbitraries.of(0L, 1L, -1L, -12L, Long.MAX_VALUE - 11, Long.MAX_VALUE, Long.MIN_VALUE),
            Arbitraries.of(moves(capabilities)).list().ofMinSize(1).ofMaxSize(MAX_STEPS))
        .as(Exploration::script);
  }

  private static Arbitrary<Config> configs() {
    return Combinators.combine(
            Arbitraries.of(1, 2, 3, 0, 5),
            Arbitraries.of(10L, 1L, 0L, 25L, 1_500_000L, 30_000_000_000L, Long.MAX_VALUE),
            Arbitraries.of(10L, 1L, 0L, 25L, 1_500_000L, 30_000_000_000L, Long.MAX_VALUE))
        .as(Config::new);
  }

  /** What happens next, before it is known how far away the next telling instant is. */
  private sealed interface Move {

    record Do(Step step) implements Move {}

    /** The clock goes to the end of the tool's cooldown or lease, or just before or after it. */
    record JumpToBoundary(String tool, long offset) implements Move {}
  }

  private static Script script(Config config, long clockStart, List<Move> moves) {
    Model model = new Model(config);
    List<Step> steps = new ArrayList<>();
    long now = 0;
    for (Move move : moves) {
      Step step =
          move instanceof Move.JumpToBoundary jump
              ? new Step.Advance(
                  Math.max(0, model.nextBoundary(jump.tool(), now) - now + jump.offset()))
              : ((Move.Do) move).step();
      if (step instanceof Step.Advance advance) {
        if (advance.nanos() > END_OF_TIME - now) {
          continue;
        }
        now += advance.nanos();
      }
      step.doTo(model, now);
      steps.add(step);
    }
    return new Script(config, clockStart, steps);
  }

  /** All moves, each as often as it should come up. */
  private static List<Move> moves(Set<Capability> capabilities) {
    List<Move> moves = new ArrayList<>();
    add(moves, 12, new Step.RecordFailure("a", 1));
    add(moves, 12, new Step.AllowRequest("a"));
    add(moves, 9, new Step.RecordSuccess("a", 1));
    for (long offset : new long[] {0, -1, 1}) {
      add(moves, offset == 0 ? 12 : 6, new Move.JumpToBoundary("a", offset));
    }
    add(moves, 3, new Step.Advance(1));
    add(moves, 3, new Step.RecordFailure("a", 7));
    add(moves, 1, new Step.RecordSuccess("a", 0));
    add(moves, 1, new Step.RecordFailure("a", -5));
    add(moves, 1, new Step.RecordSuccess("a", Long.MIN_VALUE));
    add(moves, 1, new Step.RecordSuccess("a", Long.MAX_VALUE / 2 + 1));
    add(moves, 1, new Step.RecordFailure("a", Long.MAX_VALUE));
    for (String other : List.of("b", "A")) {
      add(moves, 4, new Step.RecordFailure(other, 2));
      add(moves, 4, new Step.AllowRequest(other));
      add(moves, 2, new Step.RecordSuccess(other, 3));
      add(moves, 2, new Move.JumpToBoundary(other, 0));
    }
    if (capabilities.contains(Capability.HANDLES)) {
      add(moves, 1, new Step.GetHandle("a"));
      add(moves, 1, new Step.GetHandle("b"));
    }
    if (capabilities.contains(Capability.RECONFIGURATION)) {
      add(moves, 1, new Step.Configure(new Config(1, 3, 4)));
      add(moves, 1, new Step.Configure(new Config(4, 0, 0)));
    }
    if (capabilities.contains(Capability.ROUTING)) {
      add(moves, 1, new Step.SetFallbacks("a", List.of("b", "A")));
      add(moves, 1, new Step.SetFallbacks("a", List.of("A", "b", "a")));
    }
    return moves;
  }

  private static void add(List<Move> moves, int times, Step step) {
    add(moves, times, new Move.Do(step));
  }

  private static void add(List<Move> moves, int times, Move move) {
    for (int i = 0; i < times; i++) {
      moves.add(move);
    }
  }
}

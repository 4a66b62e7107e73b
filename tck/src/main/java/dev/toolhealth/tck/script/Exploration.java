package dev.toolhealth.tck.script;

import dev.toolhealth.tck.Capability;
import dev.toolhealth.tck.Config;
import dev.toolhealth.tck.spec.Model;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/**
 * Random scripts with operations, several tools, many configurations, and clock jumps to the
 * instants at which mistakes show: the ends of cooldowns and leases.
 */
public final class Exploration {
  private static final int MAX_STEPS = 40;

  /** The tool of most moves. */
  private static final String TOOL = "a";

  /** The latest time in a script. The limit keeps the model's time within a {@code long}. */
  private static final long END_OF_TIME = 1L << 61;

  private final Examination examination;
  private final List<Move> moves;

  private Exploration(Examination examination, List<Move> moves) {
    this.examination = examination;
    this.moves = moves;
  }

  /**
   * Plays random scripts.
   *
   * @param examination the examination that plays them
   * @param seed the seed, which determines the scripts
   * @param scripts the number of scripts
   */
  public static void play(Examination examination, long seed, int scripts) {
    play(new Exploration(examination, moves(examination.capabilities())), seed, scripts);
  }

  /**
   * Plays random scripts that mix calls with permits and calls by name.
   *
   * @param examination the examination that plays them; the subject needs {@link
   *     Capability#PERMITS}
   * @param seed the seed, which determines the scripts
   * @param scripts the number of scripts
   */
  public static void playPermits(Examination examination, long seed, int scripts) {
    play(new Exploration(examination, movesOfPermits()), seed, scripts);
  }

  private static void play(Exploration exploration, long seed, int scripts) {
    if (JqwikSession.isActive()) {
      exploration.explore(seed, scripts);
    } else {
      JqwikSession.run(() -> exploration.explore(seed, scripts));
    }
  }

  private void explore(long seed, int scripts) {
    RandomGenerator<Plan> generator = plans(moves).generator(scripts);
    Random random = new Random(seed);
    for (int i = 0; i < scripts && !examination.isOver(); i++) {
      Plan plan = generator.next(random).value();
      examination.play(
          plan.script(),
          whole ->
              examination.shorten(
                  plan.simplified(simpler -> examination.stillDiffers(simpler.script())).script()));
    }
  }

  // Each list begins with the simplest value. Simplifying replaces a value by an earlier one.

  private static final List<Integer> THRESHOLDS = List.of(1, 2, 3, 0, 5);
  private static final List<Long> DURATIONS =
      List.of(10L, 1L, 0L, 25L, 1_500_000L, 30_000_000_000L, Long.MAX_VALUE);
  // With these starts, the trip, the grant, and the ends of lease and cooldown fall on 0 or -1.
  private static final List<Long> CLOCK_STARTS =
      List.of(
          0L,
          1L,
          -1L,
          -10L,
          -11L,
          -20L,
          -21L,
          -30L,
          -35L,
          -45L,
          Long.MAX_VALUE - 11,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  /**
   * Generates scripts, as plans.
   *
   * @param moves the moves to choose from
   * @return the plans
   */
  private static Arbitrary<Plan> plans(List<Move> moves) {
    return Combinators.combine(
            Combinators.combine(
                    Arbitraries.of(THRESHOLDS),
                    Arbitraries.of(DURATIONS),
                    Arbitraries.of(DURATIONS))
                .as(Config::new),
            Arbitraries.of(CLOCK_STARTS),
            Arbitraries.of(moves).list().ofMinSize(1).ofMaxSize(MAX_STEPS))
        .as(Plan::new);
  }

  /** A script whose jumps do not yet have a duration. */
  private record Plan(Config config, long clockStart, List<Move> moves) {

    Script script() {
      return Exploration.script(config, clockStart, moves);
    }

    /** Removes and simplifies moves and numbers as long as the result is still good. */
    Plan simplified(Predicate<Plan> stillGood) {
      Plan simplest = withMoves(Shortening.of(moves, fewer -> stillGood.test(withMoves(fewer))));
      for (Function<Plan, Stream<Plan>> simpler :
          List.<Function<Plan, Stream<Plan>>>of(
              Plan::simplerClocks, Plan::simplerConfigs, Plan::simplerMoves)) {
        simplest = simpler.apply(simplest).filter(stillGood).findFirst().orElse(simplest);
      }
      return simplest.equals(this) ? this : simplest.simplified(stillGood);
    }

    private Plan withMoves(List<Move> others) {
      return new Plan(config, clockStart, others);
    }

    private Stream<Plan> simplerClocks() {
      return before(clockStart, CLOCK_STARTS).map(start -> new Plan(config, start, moves));
    }

    private Stream<Plan> simplerConfigs() {
      int threshold = config.failureThreshold();
      long recovery = config.recoveryNanos();
      long lease = config.probeTimeoutNanos();
      return Stream.of(
              before(threshold, THRESHOLDS).map(t -> new Config(t, recovery, lease)),
              before(recovery, DURATIONS).map(r -> new Config(threshold, r, lease)),
              before(lease, DURATIONS).map(l -> new Config(threshold, recovery, l)))
          .flatMap(configs -> configs)
          .map(simpler -> new Plan(simpler, clockStart, moves));
    }

    private static <T> Stream<T> before(T value, List<T> simplestFirst) {
      return simplestFirst.subList(0, simplestFirst.indexOf(value)).stream();
    }

    private Stream<Plan> simplerMoves() {
      Plan aboutOne = withMoves(moves.stream().map(move -> move.about(TOOL)).toList());
      return Stream.concat(Stream.of(aboutOne), eachSimpler()).filter(plan -> !plan.equals(this));
    }

    private Stream<Plan> eachSimpler() {
      return IntStream.range(0, moves.size())
          .boxed()
          .flatMap(
              i ->
                  moves
                      .get(i)
                      .simpler()
                      .map(
                          move -> {
                            List<Move> others = new ArrayList<>(moves);
                            others.set(i, move);
                            return withMoves(others);
                          }));
    }
  }

  /** A step, or a clock jump whose duration depends on the steps before. */
  private sealed interface Move {

    /** Returns the same move with another tool. */
    Move about(String another);

    /** Returns moves that would be simpler to read. */
    Stream<Move> simpler();

    record Do(Step step) implements Move {
      @Override
      public Move about(String another) {
        return new Do(step.about(another));
      }

      @Override
      public Stream<Move> simpler() {
        return simpler(step).distinct().filter(other -> !other.equals(step)).map(Do::new);
      }

      private static Stream<Step> simpler(Step step) {
        if (step instanceof Step.AllowRequest) {
          return Stream.of(new Step.AllowRequest(TOOL));
        }
        if (step instanceof Step.RecordSuccess s) {
          return Stream.of(
              new Step.RecordSuccess(TOOL, s.nanos()), new Step.RecordSuccess(s.tool(), 1));
        }
        if (step instanceof Step.RecordFailure f) {
          return Stream.of(
              new Step.RecordFailure(TOOL, f.nanos()), new Step.RecordFailure(f.tool(), 1));
        }
        return Stream.empty();
      }
    }

    /** A jump of the clock to the end of the tool's cooldown or lease, or just before or after. */
    record JumpToBoundary(String tool, long offset) implements Move {
      @Override
      public Move about(String another) {
        return new JumpToBoundary(another, offset);
      }

      @Override
      public Stream<Move> simpler() {
        return Stream.of(new JumpToBoundary(TOOL, offset), new JumpToBoundary(tool, 0))
            .filter(other -> !other.equals(this))
            .map(Move.class::cast);
      }
    }
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

  /** Returns all moves. A move appears several times in the list if it should be chosen often. */
  private static List<Move> moves(Set<Capability> capabilities) {
    List<Move> moves = new ArrayList<>();
    add(moves, 12, new Step.RecordFailure(TOOL, 1));
    add(moves, 12, new Step.AllowRequest(TOOL));
    add(moves, 9, new Step.RecordSuccess(TOOL, 1));
    for (long offset : new long[] {0, -1, 1}) {
      add(moves, offset == 0 ? 12 : 6, new Move.JumpToBoundary(TOOL, offset));
    }
    add(moves, 3, new Step.Advance(1));
    add(moves, 3, new Step.RecordFailure(TOOL, 7));
    add(moves, 1, new Step.RecordSuccess(TOOL, 0));
    add(moves, 1, new Step.RecordFailure(TOOL, -5));
    add(moves, 1, new Step.RecordSuccess(TOOL, -5));
    add(moves, 1, new Step.RecordSuccess(TOOL, Long.MIN_VALUE));
    add(moves, 1, new Step.RecordSuccess(TOOL, Long.MAX_VALUE / 2 + 1));
    add(moves, 1, new Step.RecordFailure(TOOL, Long.MAX_VALUE));
    for (String other : List.of("b", "A")) {
      add(moves, 4, new Step.RecordFailure(other, 2));
      add(moves, 4, new Step.AllowRequest(other));
      add(moves, 2, new Step.RecordSuccess(other, 3));
      add(moves, 2, new Move.JumpToBoundary(other, 0));
    }
    if (capabilities.contains(Capability.HANDLES)) {
      add(moves, 2, new Step.GetHandle(TOOL));
      add(moves, 2, new Step.GoBy(TOOL, false));
      add(moves, 1, new Step.GoBy(TOOL, true));
      add(moves, 1, new Step.GetHandle("b"));
    }
    if (capabilities.contains(Capability.RECONFIGURATION)) {
      add(moves, 1, new Step.Configure(new Config(1, 3, 4)));
      add(moves, 1, new Step.Configure(new Config(4, 0, 0)));
    }
    if (capabilities.contains(Capability.ROUTING)) {
      add(moves, 1, new Step.SetFallbacks(TOOL, List.of("b", "A")));
      add(moves, 1, new Step.SetFallbacks(TOOL, List.of("A", "b", TOOL)));
      add(moves, 1, new Step.SetFallbacks("b", List.of("A")));
      add(moves, 1, new Step.SetFallbacks("A", List.of(TOOL)));
    }
    return moves;
  }

  private static List<Move> movesOfPermits() {
    List<Move> moves = new ArrayList<>();
    for (String permit : List.of("p", "q", "r")) {
      add(moves, 6, new Step.Acquire(TOOL, permit));
      add(moves, 4, new Step.UsePermit(TOOL, permit, Step.Use.SUCCESS));
      add(moves, 4, new Step.UsePermit(TOOL, permit, Step.Use.FAILURE));
      add(moves, 2, new Step.UsePermit(TOOL, permit, Step.Use.CANCEL));
      add(moves, 1, new Step.UsePermit(TOOL, permit, Step.Use.CLOSE));
    }
    add(moves, 8, new Step.RecordFailure(TOOL, 1));
    add(moves, 3, new Step.RecordSuccess(TOOL, 1));
    add(moves, 3, new Step.AllowRequest(TOOL));
    for (long offset : new long[] {0, -1, 1}) {
      add(moves, offset == 0 ? 12 : 4, new Move.JumpToBoundary(TOOL, offset));
    }
    add(moves, 2, new Step.Acquire("b", "p"));
    add(moves, 2, new Step.UsePermit("b", "p", Step.Use.FAILURE));
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

package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Model-checks the counters with Lincheck. Once all calls have returned, the counters must be the
 * result of some order of the calls (CONC-2), and no caller may depend on the progress of another
 * (CONC-3).
 */
class ToolStatsModelCheckingTest {
  private static final int SCENARIOS = 12;

  /** A duration that fits in a stripe once but not twice. */
  private static final long HALF_A_WORD = 1L << 33;

  /** The operations of the counters for Lincheck. */
  public abstract static class Operations {
    abstract void success(long nanos);

    abstract void failure(long nanos);

    abstract String seen();

    @Operation
    public void succeed() {
      success(1);
    }

    @Operation
    public void fail() {
      failure(2);
    }

    @Operation
    public void succeedSlowly() {
      success(HALF_A_WORD);
    }

    /** Records a duration too long for any stripe. */
    @Operation
    public void failVerySlowly() {
      failure(3 * HALF_A_WORD);
    }

    @Operation
    public String look() {
      return seen();
    }
  }

  /** The operations on the real counters. */
  public static final class Recording extends Operations {
    private final ToolStats stats = new ToolStats();

    @Override
    void success(long nanos) {
      stats.recordSuccess(nanos);
    }

    @Override
    void failure(long nanos) {
      stats.recordFailure(nanos);
    }

    @Override
    String seen() {
      return stats.successes()
          + " of "
          + (stats.successes() + stats.failures())
          + ", ns "
          + stats.durationSum()
          + " of which at most "
          + stats.maxDuration()
          + ", EWMA "
          + stats.ewma();
    }
  }

  /** The sequential specification. */
  public static class OneByOne extends Operations {
    private long successes;
    private long failures;
    private long sum;
    private long max;
    private int ewma = 1_000_000;

    @Override
    void success(long nanos) {
      successes++;
      add(nanos, true);
    }

    @Override
    void failure(long nanos) {
      failures++;
      add(nanos, false);
    }

    private void add(long nanos, boolean success) {
      sum += nanos;
      max = Math.max(max, nanos);
      ewma = (7 * ewma + (success ? 3_000_000 : 0)) / 10;
    }

    @Override
    String seen() {
      return successes
          + " of "
          + (successes + failures)
          + ", ns "
          + sum
          + " of which at most "
          + max
          + ", EWMA "
          + ewma;
    }
  }

  /** Faulty counters: without synchronization callers can overwrite the outcomes of others. */
  public static final class Unguarded extends OneByOne {}

  /** Operations that record outcomes while another caller reads the average and the maximum. */
  public static class Looking {
    private final ToolHealth tool = ToolHealthRegistry.ofDefaults().tool("search");

    @Operation
    public void succeed() {
      tool.recordSuccessNanos(1);
    }

    @Operation
    public void failSlowly() {
      tool.recordFailureNanos(HALF_A_WORD);
    }

    @Operation
    public void succeedVerySlowly() {
      tool.recordSuccessNanos(3 * HALF_A_WORD);
    }

    @Operation
    public boolean isAverageAtMostTheMaximum() {
      ToolSnapshot seen = tool.snapshot();
      return seen.averageDuration().compareTo(seen.maxDuration()) <= 0;
    }
  }

  /** The specification: the average never exceeds the maximum. */
  public static final class AlwaysSo extends Looking {
    @Override
    public boolean isAverageAtMostTheMaximum() {
      return true;
    }
  }

  @Test
  void noAverageIsSeenThatIsLongerThanTheLongestCall() {
    ModelCheckingOptions options = Scenarios.checking().sequentialSpecification(AlwaysSo.class);
    for (String call : List.of("succeed", "failSlowly", "succeedVerySlowly")) {
      for (List<String> before : List.of(List.<String>of(), List.of("succeed"))) {
        options.addCustomScenario(
            Scenarios.of(
                Looking.class,
                before,
                List.of(
                    List.of(call, "succeed", "failSlowly"),
                    List.of("isAverageAtMostTheMaximum", "isAverageAtMostTheMaximum")),
                List.of()));
      }
    }
    options.check(Looking.class);
  }

  @Test
  void everythingIsCountedOnce() {
    check(Recording.class);
  }

  /** Lincheck finds faulty counters, so the test above can fail. */
  @Test
  void aLostOutcomeIsFoundOut() {
    assertThatThrownBy(() -> check(Unguarded.class)).isInstanceOf(LincheckAssertionError.class);
  }

  private static void check(Class<? extends Operations> operations) {
    ModelCheckingOptions options = Scenarios.checking().sequentialSpecification(OneByOne.class);
    List<List<String>> starts =
        List.of(
            List.of(),
            List.of("fail"),
            List.of("succeedSlowly", "fail"),
            List.of("failVerySlowly"));
    Random random = new Random(1);
    for (int i = 0; i < SCENARIOS; i++) {
      List<List<String>> atOnce = new ArrayList<>();
      for (int caller = 0; caller < 2 + i % 2; caller++) {
        atOnce.add(some(i % 2 == 0 ? 3 : 2, random));
      }
      options.addCustomScenario(
          Scenarios.of(Operations.class, starts.get(i % starts.size()), atOnce, List.of("look")));
    }
    options.check(operations);
  }

  private static List<String> some(int count, Random random) {
    List<String> names = List.of("succeed", "fail", "succeedSlowly", "failVerySlowly");
    return Stream.generate(() -> names.get(random.nextInt(names.size()))).limit(count).toList();
  }
}

package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolhealth.BreakerOperations.Breaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Model-checks the breaker with Lincheck, which runs two callers in many interleavings, the same in
 * every run. {@link TimedVerifier} must be able to explain all answers (CONC-1), and no caller may
 * depend on the progress of another (CONC-3).
 */
class ModelCheckingTest {
  private static final int SCENARIOS = 12;

  /** Operations of a breaker that trips at the first failure. */
  public static final class TrippingAtOnce extends OnTheTool {
    public TrippingAtOnce() {
      super(1);
    }
  }

  /** Operations of a breaker that trips at the second failure. */
  public static final class TrippingAtTwo extends OnTheTool {
    public TrippingAtTwo() {
      super(2);
    }
  }

  abstract static class OnTheTool extends BreakerOperations {
    OnTheTool(int threshold) {
      super(threshold);
    }

    @Override
    final Breaker breaker(CircuitBreakerConfig config, LongSupplier clock) {
      return new ToolBreaker(
          new ToolHealth("search", config, clock, new Listeners(), new ToolStats()));
    }
  }

  private record ToolBreaker(ToolCircuitBreaker breaker) implements Breaker {
    @Override
    public boolean allowRequest() {
      return breaker.allowRequest();
    }

    @Override
    public boolean isAvailable() {
      return breaker.isAvailable();
    }

    @Override
    public void recordSuccess() {
      breaker.applySuccess(null);
    }

    @Override
    public void recordFailure() {
      breaker.applyFailure(null);
    }

    @Override
    public String look() {
      ToolCircuitBreaker.View view = breaker.view();
      return view.state().label() + " " + view.state().consecutiveFailures();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {TrippingAtOnce.class, TrippingAtTwo.class})
  void everyAnswerIsExplained(Class<? extends BreakerOperations> operations) {
    check(operations);
  }

  /** Lincheck finds faulty breakers, so the test above can fail. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        BrokenBreakers.ProbeByCheckThenAct.class,
        BrokenBreakers.FailureByCheckThenAct.class,
        BrokenBreakers.ClockBeforeState.class,
        BrokenBreakers.ClosedObjectShared.class,
        BrokenBreakers.CountNotStopped.class
      })
  void aBrokenBreakerIsFoundOut(Class<? extends BreakerOperations> operations) {
    assertThatThrownBy(() -> check(operations))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("Invalid execution results");
  }

  @Test
  void aLockIsFoundOut() {
    assertThatThrownBy(() -> check(BrokenBreakers.Locked.class))
        .isInstanceOf(LincheckAssertionError.class)
        .hasMessageContaining("a lock is detected");
  }

  private static void check(Class<? extends BreakerOperations> operations) {
    ModelCheckingOptions options = Scenarios.checking().verifier(TimedVerifier.class);
    scenarios().forEach(options::addCustomScenario);
    options.check(operations);
  }

  private static List<ExecutionScenario> scenarios() {
    List<ExecutionScenario> scenarios = new ArrayList<>();
    // A failure that sleeps while others trip the breaker, probe and close it.
    scenarios.add(
        scenario(
            List.of(),
            List.of("recordFailure"),
            List.of("recordFailure", "tick", "allowRequest", "recordSuccess"),
            List.of("look", "allowRequest")));
    // A success that returns between the last failure's count and the trip.
    scenarios.add(
        scenario(
            List.of("recordFailure"),
            List.of("recordFailure"),
            List.of("recordSuccess", "allowRequest"),
            List.of("look", "allowRequest")));
    // CLOSED, OPEN, OPEN with the cooldown elapsed, a live probe, an expired probe.
    List<List<String>> starts =
        List.of(
            List.of(),
            List.of("recordFailure"),
            List.of("recordFailure", "recordFailure", "tick"),
            List.of("recordFailure", "recordFailure", "tick", "allowRequest"),
            List.of("recordFailure", "recordFailure", "tick", "allowRequest", "tick"));
    Random random = new Random(1);
    for (int i = 0; i < SCENARIOS; i++) {
      scenarios.add(
          scenario(
              starts.get(i % starts.size()), some(3, random), some(3, random), List.of("look")));
    }
    return scenarios;
  }

  private static ExecutionScenario scenario(
      List<String> before, List<String> one, List<String> other, List<String> after) {
    return Scenarios.of(BreakerOperations.class, before, List.of(one, other), after);
  }

  private static List<String> some(int count, Random random) {
    List<String> names =
        List.of("allowRequest", "recordSuccess", "recordFailure", "isAvailable", "look", "tick");
    return Stream.generate(() -> names.get(random.nextInt(names.size()))).limit(count).toList();
  }
}

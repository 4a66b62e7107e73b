package dev.toolhealth;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ScoreTest {

  /**
   * Counts may be so large that their products do not fit in a {@code long}. Without outcomes the
   * success rate is 1, whatever EWMA a racing reader has found.
   */
  @Property
  void statusIsExactForAnyCounts(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long successes,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long failures,
      @ForAll @IntRange(min = 0, max = Score.ONE) int ewma) {
    long total = Math.max(1, successes + failures);
    BigInteger score =
        BigInteger.valueOf(3_000_000)
            .multiply(BigInteger.valueOf(total - failures))
            .add(BigInteger.valueOf(7L * ewma).multiply(BigInteger.valueOf(total)));
    HealthStatus expected =
        score.compareTo(BigInteger.valueOf(8_000_000).multiply(BigInteger.valueOf(total))) >= 0
            ? HealthStatus.HEALTHY
            : score.compareTo(BigInteger.valueOf(5_000_000).multiply(BigInteger.valueOf(total)))
                    >= 0
                ? HealthStatus.DEGRADED
                : HealthStatus.UNHEALTHY;
    assertThat(Score.status(successes, successes + failures, ewma, CircuitState.CLOSED))
        .isEqualTo(expected);
    assertThat(Score.status(successes, successes + failures, ewma, CircuitState.OPEN))
        .isEqualTo(HealthStatus.UNHEALTHY);
  }

  @Property
  void scoreStaysInItsRange(
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long successes,
      @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long failures,
      @ForAll @IntRange(min = 0, max = Score.ONE) int ewma) {
    assertThat(Score.of(successes, successes + failures, ewma)).isBetween(0.0, 1.0);
  }

  @Property
  void ewmaStaysInItsRange(
      @ForAll @IntRange(min = 0, max = Score.ONE) int ewma, @ForAll boolean success) {
    assertThat(Score.nextEwma(ewma, success)).isBetween(0, Score.ONE);
  }

  @Test
  void theBoundsAreInclusive() {
    // 3 x 143 + 7 x 0.51 x 300 is 5 x 300.
    assertThat(Score.status(143, 300, 510_000, CircuitState.CLOSED))
        .isEqualTo(HealthStatus.DEGRADED);
    assertThat(Score.status(143, 300, 509_999, CircuitState.CLOSED))
        .isEqualTo(HealthStatus.UNHEALTHY);
    // 3 x 217 649 + 7 x 0.831 93 x 300 000 is 8 x 300 000; in doubles the result is below 0.8.
    assertThat(Score.status(217_649, 300_000, 831_930, CircuitState.CLOSED))
        .isEqualTo(HealthStatus.HEALTHY);
    assertThat(Score.status(217_648, 300_000, 831_930, CircuitState.CLOSED))
        .isEqualTo(HealthStatus.DEGRADED);
  }
}
